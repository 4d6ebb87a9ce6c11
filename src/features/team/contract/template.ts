import type { Json } from '@contract/ids';
import { ownValue } from '@contract/own';
import { stepDefinition } from '@contract/run/scope/path';
import type { RunState } from '@contract/run/state';
import { type MemberSpec, OPERATOR } from './events';
import type { TeamState } from './state';

/**
 * The configuration for a team like this one: that of its start, with the members that the operator added
 * since.
 */
export function templateOf(
  state: RunState,
  { activationId, members }: Pick<TeamState, 'activationId' | 'members'>,
): Record<string, Json> {
  const config = stepDefinition(state, state.activations[activationId]?.stepId ?? '')?.config ?? {};
  const started = Array.isArray(config.members) ? config.members : [];
  const added = Object.values(members).filter(
    ({ name, by }) => by === OPERATOR && !started.some((member) => nameIn(member) === name),
  );
  return added.length === 0
    ? { ...config }
    : { ...config, members: [...started, ...added.map(memberConfig)] };
}

const nameIn = (member: Json): Json | undefined =>
  typeof member === 'object' && member !== null && !Array.isArray(member)
    ? ownValue(member, 'name')
    : undefined;

/** Leaves out values that equal the defaults. */
const memberConfig = (member: MemberSpec): Record<string, Json> => ({
  name: member.name,
  agent: member.profileId,
  prompt: member.prompt,
  ...(member.iterative ? { iterative: true } : {}),
  ...(member.readOnly ? { read_only: true } : {}),
  ...(member.worktree ? {} : { worktree: false }),
  ...(member.planApproval ? { plan_approval: true } : {}),
  ...(member.model === null ? {} : { model: member.model }),
  ...(member.idleMinutes === null ? {} : { idle_minutes: member.idleMinutes }),
});
