import type { AgentProfile } from '@areas/agents/contract/profile';

type Permissions = AgentProfile['permissions'];

/** An agent's modes, by what they permit. */
export interface Modes {
  /** The mode for each policy; null: the agent's own default. */
  readonly of: Readonly<Record<Permissions, string | null>>;
  /** Modes in which it asks before each write, or writes nothing. */
  readonly asking: readonly string[];
  /** Modes for a read-only agent, preferred one first. */
  readonly reading: readonly [string, ...string[]];
}

export interface LaunchPolicy {
  /** The mode named by the profile or the step. */
  readonly mode: string | null;
  readonly permissions: Permissions;
  readonly readOnly: boolean;
  /** It works in the operator's own checkout, where every write needs permission. */
  readonly ownCheckout: boolean;
}

/** Whether neither a mode nor a variable of the profile or step may permit more. */
export const isFirm = ({ permissions, readOnly, ownCheckout }: LaunchPolicy): boolean =>
  readOnly || ownCheckout || permissions === 'deny';

export interface ModeChoice {
  readonly mode: string | null;
  /** Why the named mode is not used; null if it is, or none was named. */
  readonly notice: string | null;
}

/** The agent's starting mode: the named one, unless it permits more than the agent may do here. */
export function chooseMode(modes: Modes, policy: LaunchPolicy): ModeChoice {
  const { mode, permissions, readOnly, ownCheckout } = policy;
  const instead = (own: string | null, why: string): ModeChoice =>
    mode === null || mode === own
      ? { mode: own, notice: null }
      : { mode: own, notice: `The mode ${mode} is ignored for ${own ?? 'its own'}: ${why}.` };
  if (readOnly && !modes.reading.includes(mode ?? ''))
    return instead(modes.reading[0], 'the agent is read-only');
  if (!readOnly && permissions === 'deny' && !modes.reading.includes(mode ?? ''))
    return instead(modes.of.deny, 'its profile denies everything');
  if (ownCheckout && !modes.asking.includes(mode ?? ''))
    return instead(modes.of.ask, 'in your own checkout Muster asks you before each write');
  return { mode: mode ?? modes.of[permissions], notice: null };
}
