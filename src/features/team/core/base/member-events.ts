import type { RunEvent } from '@contract/run/events';
import type { ActivationView } from '@main/core/step/module';
import type { MemberSpec } from '../../contract/events';
import { memberLane } from '../../contract/lanes/lanes';
import type { MemberState } from '../../contract/state';
import type { TeamConfig } from '../config';

type View = ActivationView<TeamConfig>;

export const LAST_ROUND_DELIVERED = 'its last round is delivered';

/** A member joins; its prompt is its first instruction. */
export function joinEvents(
  { activationId, member, by }: { activationId: number; member: MemberSpec; by: string },
  messageId: number,
): RunEvent[] {
  const message = { activationId, messageId, from: by, to: [member.name], text: member.prompt };
  return [
    { type: 'team.member-added', activationId, member, by },
    { type: 'team.message', ...message, kind: 'instruction' },
  ];
}

export function stopEvent(
  view: View,
  { name: member, readOnly }: MemberState,
  about: { activationId: number; reason: string },
): RunEvent {
  const { turns, last } = view.lane(memberLane(member));
  // Only work in the project's repository can be merged into it.
  const leavesWork = !readOnly && last !== null && view.workspaceMode === 'worktree';
  if (leavesWork) return { type: 'team.freezing', member, ...about };
  const changed = readOnly ? null : turns.findLast((turn) => (turn?.changes?.files ?? 0) > 0);
  return { type: 'team.stopped', member, ...about, frozen: changed?.changes?.after ?? null };
}

/** After a member's last delivered round it stops at once, unless the operator has more messages for it. */
export function endOfLast(view: View, member: MemberState, activationId: number): RunEvent[] {
  if (view.lane(memberLane(member.name)).prompted !== null) return [];
  return [stopEvent(view, member, { activationId, reason: LAST_ROUND_DELIVERED })];
}
