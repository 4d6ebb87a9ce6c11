import type { AgentProfile } from '@contract/catalog/profile';

type Permissions = AgentProfile['permissions'];

/** An agent's modes, by what they let it do. */
export interface Modes {
  /** Where the profile names none; null: it stays in its own. */
  readonly of: Readonly<Record<Permissions, string | null>>;
  /** Those in which it asks before each write, or writes nothing. */
  readonly asking: readonly string[];
  /** Those for an agent that only reads, the usual one first. */
  readonly reading: readonly [string, ...string[]];
}

export interface LaunchPolicy {
  /** The mode that the profile or the step names. */
  readonly mode: string | null;
  readonly permissions: Permissions;
  readonly readOnly: boolean;
  /** It works in the operator's own checkout, where every write is asked for. */
  readonly ownCheckout: boolean;
}

/** Whether neither a mode nor a variable of the profile or the step may allow more. */
export const isFirm = ({ permissions, readOnly, ownCheckout }: LaunchPolicy): boolean =>
  readOnly || ownCheckout || permissions === 'deny';

export interface ModeChoice {
  readonly mode: string | null;
  /** Why the mode that was named is not the one; null where it is, or none was. */
  readonly notice: string | null;
}

/** The mode that an agent starts in: the one that is named, unless it allows more than the agent may do here. */
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
