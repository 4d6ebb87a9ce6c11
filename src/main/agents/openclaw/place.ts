import type { OpenclawProfile } from '@areas/agents/contract/profile';
import { type AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import { type DeviceIdentity, deviceFromKey, deviceFromToken } from './device';

/** The credentials of a connection; read for each one. */
export interface Credentials {
  readonly token: string | null;
  readonly device: DeviceIdentity | null;
}

/** The gateway's address. Contains no secret. */
export interface GatewayPlace {
  readonly profile: OpenclawProfile;
  readonly address: string;
  credentials(): Result<Credentials>;
}

type Secret = (name: string) => string | null;

/**
 * A profile's gateway. `ws://` is only allowed on this machine, since the token would cross the network
 * unencrypted (`input.invalid`); a named but missing secret is `agent.auth_required`.
 */
export function readPlace(profile: OpenclawProfile, secret: Secret): Result<GatewayPlace> {
  const url = new URL(profile.base_url);
  const bad = (why: string): Result<never> =>
    fail('input.invalid', `the profile ${profile.id}: base_url ${why}`, { where: { path: 'base_url' } });
  if (url.username || url.password)
    return bad('holds a password; put the password into a secret named by api_key_secret');
  const local = isLoopback(url.hostname);
  if (url.protocol === 'ws:' && !local) return bad('leads to another machine: use wss, or a tunnel');
  const address = url.href.replace(/\/+$/, '');
  const place: GatewayPlace = {
    profile,
    address,
    credentials: () => readCredentials(profile, local, secret),
  };
  const now = place.credentials();
  return now.ok ? ok(place) : now;
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

function readCredentials(profile: OpenclawProfile, local: boolean, secret: Secret): Result<Credentials> {
  const { api_key_secret: tokenName, device_key_secret: keyName } = profile;
  const token = tokenName === undefined ? null : secret(tokenName);
  if (tokenName !== undefined && !token) return err(secretMissing(tokenName));
  if (keyName === undefined) {
    // A client with the token of a gateway on this machine may connect without a device. Elsewhere the device
    // is a second proof, which a key derived from the token would not be.
    return ok({ token, device: local && token !== null ? deviceFromToken(token) : null });
  }
  const key = secret(keyName);
  if (!key) return err(secretMissing(keyName));
  const device = deviceFromKey(key);
  if (device === null) {
    const mend = 'make one with `openssl genpkey -algorithm ed25519`';
    return fail('input.invalid', `the secret ${keyName} is not an Ed25519 key in PEM format`, { mend });
  }
  return ok({ token, device });
}

function secretMissing(name: string): AppError {
  return appError('agent.auth_required', `the secret ${name} is not set`, { mend: mendSecret(name) });
}

export const mendSecret = (name: string): string =>
  `set the secret ${name} in Settings, or the environment variable ${name} where there is no window`;
