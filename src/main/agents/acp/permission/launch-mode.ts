import type { AgentProfile } from '@areas/agents/contract/profile';
import { fail, ok, type Result } from '@contract/result';
import { chooseMode, isFirm, type LaunchPolicy, type ModeChoice } from '../../modes';
import { opencodePermission } from '../../opencode-permission';
import { knownAgent } from '../known-agents';

/** Parts of the names of modes in which an agent does not ask. */
const ASKS_NOT = /auto|bypass|yolo|accept|full|allow|trust|don.?t.?ask|no.?ask|write/i;

export interface Start extends ModeChoice {
  /** Variables that make it ask. */
  readonly env: Readonly<Record<string, string>>;
  /** They override those of the profile and the step, instead of being overridden. */
  readonly firm: boolean;
  /** The mode was named explicitly, so an agent without modes is reported. */
  readonly named: boolean;
}

/** How to start an agent so that it asks when required. What Muster does not know about it is trusted. */
export function startOf(profile: AgentProfile, policy: LaunchPolicy): Result<Start> {
  const { mode } = policy;
  const known = knownAgent(profile);
  const firm = isFirm(policy);
  const plain = { mode, notice: null, env: {}, firm, named: mode !== null };
  if (known !== null && known.modes === null) return ok({ ...plain, env: opencodeEnv(policy) });
  if (known?.modes) {
    const chosen = chooseMode(known.modes, policy);
    return ok({ ...chosen, env: {}, firm, named: mode !== null && chosen.mode === mode });
  }
  if (!firm || mode === null || !ASKS_NOT.test(mode)) return ok(plain);
  const where = policy.readOnly
    ? 'its profile is read-only'
    : policy.ownCheckout
      ? 'in your own checkout Muster asks you before each write'
      : 'its profile denies everything';
  return fail('agent.refused', `${profile.name} would not ask in its mode ${mode}, and ${where}`, {
    mend: 'Remove the mode from the profile or the step, or choose one in which it asks.',
  });
}

function opencodeEnv(policy: LaunchPolicy): Record<string, string> {
  const permission = opencodePermission(policy);
  return permission === null ? {} : { OPENCODE_PERMISSION: permission };
}
