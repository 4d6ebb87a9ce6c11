import { messageOf } from '@contract/error-message';
import { type AppError, appError } from '@contract/errors';
import { ownValue } from '@contract/own';
import { z } from 'zod';
import { type GatewayPlace, mendSecret } from './place';
import { type ErrorShape, type Hello, PROTOCOL } from './wire';

/** Why there is no connection. */
export interface Refusal {
  readonly error: AppError;
  /** `starting`: reported by the gateway itself. `away`: no answer. `never`: a retry is useless. */
  readonly again: 'starting' | 'away' | 'never';
  /** Milliseconds that the gateway asks to wait. */
  readonly afterMs: number | null;
}

const refusal = (error: AppError, again: Refusal['again'] = 'never'): Refusal => ({
  error,
  again,
  afterMs: null,
});

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name cannot be looked up now',
  ECONNRESET: 'the connection was lost',
  ETIMEDOUT: 'there was no answer in time',
};

/** The socket did not open, or closed before the gateway's hello. */
export function unreached(place: GatewayPlace, cause: unknown): Refusal {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const message = messageOf(cause);
  const status = /^Unexpected server response: (\d+)$/.exec(message)?.[1];
  if (status === '503') return { ...away(place, 'it is starting (HTTP 503)'), again: 'starting' };
  if (status !== undefined) return noGateway(place, `HTTP ${status}`);
  return away(place, `${ownValue(NETWORK, code) ?? message}${code === '' ? '' : ` (${code})`}`);
}

export function away({ profile, address }: GatewayPlace, why: string): Refusal {
  const mend = `start the gateway (\`openclaw gateway run\`), or correct base_url in the profile ${profile.id}`;
  return refusal(appError('agent.start_failed', `${address} cannot be reached: ${why}`, { mend }), 'away');
}

/** Something answers there, but with another protocol. */
export function noGateway({ profile, address }: GatewayPlace, what: string): Refusal {
  const mend = `check base_url in the profile ${profile.id}`;
  return refusal(
    appError('agent.protocol', `${address} does not answer like an OpenClaw gateway: ${what}`, { mend }),
  );
}

const detailsSchema = z.looseObject({
  code: z.string().optional(),
  reason: z.string().optional(),
  requestId: z.string().optional(),
});

/** The gateway rejected `connect`. */
export function refused(place: GatewayPlace, shape: ErrorShape): Refusal {
  const parsed = detailsSchema.safeParse(shape.details);
  const { code = '', reason = '', requestId } = parsed.success ? parsed.data : {};
  const { address } = place;
  const message = `${address}: ${shape.message}${code === '' ? '' : ` (${code})`}`;
  if (shape.code === 'UNAVAILABLE' || reason === 'startup-sidecars') {
    return {
      error: appError('agent.start_failed', `${message}; the gateway is not ready`),
      again: 'starting',
      afterMs: shape.retryAfterMs ?? null,
    };
  }
  if (code === 'PROTOCOL_MISMATCH' || /protocol mismatch/i.test(shape.message)) {
    const mend = 'use a version of OpenClaw that speaks it (2026.9.6 was tried)';
    return refusal(appError('agent.protocol', `${message}; Muster speaks protocol ${PROTOCOL}`, { mend }));
  }
  if (code === 'PAIRING_REQUIRED') {
    const mend = `on the gateway’s machine: openclaw devices approve ${requestId ?? '--latest'}`;
    return refusal(appError('agent.auth_required', `${message}; Muster is not paired there yet`, { mend }));
  }
  if (code === 'DEVICE_IDENTITY_REQUIRED') {
    const mend = `name an Ed25519 key in device_key_secret of the profile ${place.profile.id}; make one with \`openssl genpkey -algorithm ed25519\``;
    return refusal(appError('agent.auth_required', message, { mend }));
  }
  if (/^(AUTH|DEVICE_AUTH)_/.test(code) || /unauthorized/i.test(shape.message)) {
    return refusal(appError('agent.auth_required', message, { mend: mendToken(place) }));
  }
  return refusal(appError('agent.protocol', message));
}

function mendToken({ profile }: GatewayPlace): string {
  const name = profile.api_key_secret;
  const where = 'the gateway shows its token with: openclaw config get gateway.auth.token';
  if (name === undefined) return `name a secret in api_key_secret of the profile ${profile.id}; ${where}`;
  return `${mendSecret(name)}; ${where}`;
}

/** Required scopes; a gateway may accept the connection but grant none. */
export const SCOPES = ['operator.read', 'operator.write'] as const;

/** Why an accepted connection is unusable. */
export function useless(place: GatewayPlace, hello: Hello): Refusal | null {
  if (hello.protocol !== PROTOCOL) {
    return noGateway(place, `its protocol is ${hello.protocol}, Muster speaks ${PROTOCOL}`);
  }
  const missing = SCOPES.filter((scope) => !hello.auth.scopes.includes(scope));
  if (missing.length === 0) return null;
  return refusal(
    appError('agent.auth_required', `${place.address} does not grant Muster ${missing.join(', ')}`, {
      mend: 'list the waiting device with: openclaw devices list',
    }),
  );
}
