import type { HttpGatewayProfile } from '@areas/agents/contract/profile';
import { type AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';

/** The model's address and name. Contains no key, which is read for each turn. */
export interface Endpoint {
  readonly profile: HttpGatewayProfile;
  readonly modelId: string;
  readonly address: string;
  /** The current key; null if the profile names none. */
  key(): Result<string | null>;
}

export function readEndpoint(
  profile: HttpGatewayProfile,
  model: string | null,
  secret: (name: string) => string | null,
): Result<Endpoint> {
  const address = addressOf(profile);
  if (!address.ok) return address;
  const modelId = model ?? profile.model;
  if (!modelId) {
    const mend = `set \`model\` in the profile ${profile.id}`;
    return fail('agent.start_failed', `the profile ${profile.id} names no model`, { mend });
  }
  const key = (): Result<string | null> => {
    const name = profile.api_key_secret;
    if (name === undefined) return ok(null);
    const value = secret(name);
    return value ? ok(value) : err(keyMissing(name));
  };
  const now = key();
  return now.ok ? ok({ profile, modelId, address: address.value, key }) : now;
}

function keyMissing(name: string): AppError {
  return appError('agent.auth_required', `the secret ${name} is not set`, { mend: mendKey(name) });
}

export const mendKey = (name: string): string =>
  `set the secret ${name} in Settings, or the environment variable ${name} where there is no window`;

function addressOf({ id, api, base_url }: HttpGatewayProfile): Result<string> {
  const bad = (why: string) =>
    fail('input.invalid', `the profile ${id}: base_url ${why}`, { where: { path: 'base_url' } });
  const url = URL.canParse(base_url) ? new URL(base_url) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return bad('is not an http or https address');
  if (url.username || url.password)
    return bad('holds a password; put the password into a secret named by api_key_secret');
  // Anthropic's own clients get the address without the version, and add it.
  if (api === 'anthropic' && url.pathname === '/') url.pathname = '/v1';
  return ok(url.href.replace(/\/+$/, ''));
}
