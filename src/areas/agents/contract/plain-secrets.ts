import type { AgentProfile } from './profile';

const SECRET_NAME =
  /(^|_)(API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(_|$)/i;
const SECRET_VALUE = /^(sk-|ghp_|gho_|github_pat_|xox[abp]-|AKIA|AIza|-----BEGIN )/;

/** Shorter values are switches and placeholders: `MOCK_KEY=x`. */
const LEAST = 8;

const isPlainSecret = (name: string, value: string): boolean =>
  value.length >= LEAST && (SECRET_NAME.test(name) || SECRET_VALUE.test(value));

/** The profile's variables whose values look like secrets but would be stored as plain text. */
export const plainSecrets = ({ env }: Pick<AgentProfile, 'env'>): string[] =>
  Object.entries(env).flatMap(([name, value]) => (isPlainSecret(name, value) ? [name] : []));

/** The variables without values that look like secrets; the same object if there are none. */
export function maskedEnv<E extends Readonly<Record<string, unknown>>>(env: E): E {
  // A large text is the output of a step, and no secret.
  const names = Object.entries(env).flatMap(([name, value]) =>
    typeof value === 'string' && isPlainSecret(name, value) ? [name] : [],
  );
  if (names.length === 0) return env;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name))) as E;
}

/** The profile as it is, with `***` for each value that looks like a secret, for a person to read. */
export function shownProfile<P extends AgentProfile>(profile: P): P {
  const names = new Set(plainSecrets(profile));
  if (names.size === 0) return profile;
  const shown = Object.entries(profile.env).map(([name, value]) => [name, names.has(name) ? '***' : value]);
  return { ...profile, env: Object.fromEntries(shown) };
}

/**
 * The profile without values that look like secrets, for lists, exports and streams. Their names move to
 * `secrets`, so the values are then read from the keychain or the environment.
 */
export function masked<P extends AgentProfile>(profile: P): P {
  const names = plainSecrets(profile);
  if (names.length === 0) return profile;
  const env = Object.fromEntries(Object.entries(profile.env).filter(([name]) => !names.includes(name)));
  return { ...profile, env, secrets: [...new Set([...profile.secrets, ...names])] };
}
