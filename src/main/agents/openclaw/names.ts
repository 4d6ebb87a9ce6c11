import type { OpenclawProfile } from '@areas/agents/contract/profile';
import type { Hello } from './wire';

const DEFAULT_AGENT = 'main';
const DEFAULT_PREFIX = 'muster';

/**
 * A session's key at the gateway: `agent:AGENT:PREFIX:KEY`, or that of the agent's main session. Lower case,
 * as the gateway stores keys.
 */
export function sessionKeyOf(profile: OpenclawProfile, key: string, hello: Hello): string {
  if (profile.session_key === 'main') return mainKeyOf(profile, hello);
  const prefix = profile.session_key ?? DEFAULT_PREFIX;
  return `agent:${agentOf(profile, hello)}:${prefix}:${key}`.toLowerCase();
}

/** The key of the agent's main session, as the gateway names it. */
export function mainKeyOf(profile: OpenclawProfile, hello: Hello): string {
  const { defaultAgentId = DEFAULT_AGENT, mainSessionKey } = hello.snapshot.sessionDefaults ?? {};
  const agent = agentOf(profile, hello);
  if (agent === defaultAgentId && mainSessionKey !== undefined) return mainSessionKey;
  return `agent:${agent}:main`;
}

const agentOf = (profile: OpenclawProfile, { snapshot }: Hello): string =>
  profile.agent_id ?? snapshot.sessionDefaults?.defaultAgentId ?? DEFAULT_AGENT;

/** The id of a turn's run at the gateway: always the same for a turn, so that it cannot run twice. */
export const runIdOf = (key: string, turnId: number): string => `${runsOf(key)}t${turnId}`;

/** The prefix of the ids of all runs of a session. */
export const runsOf = (key: string): string => `muster:${key}/`;
