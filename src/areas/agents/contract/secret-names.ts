import type { AgentProfile } from './profile';

/** The secrets that a profile asks for by name. */
export function secretNamesOf(profile: AgentProfile): string[] {
  const key = 'api_key_secret' in profile ? profile.api_key_secret : undefined;
  const device = 'device_key_secret' in profile ? profile.device_key_secret : undefined;
  return [...profile.secrets, ...[key, device].filter((name) => name !== undefined)];
}
