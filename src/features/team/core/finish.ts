import type { Json } from '@contract/ids';
import { setOwnValue } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import type { FinishDecision, StepDecision } from '@main/core/step/decision';
import type { ActivationView } from '@main/core/step/module';
import { makeBundle } from '@main/core/step/output/bundle';
import { LEAD_LANE, memberLane } from '../contract/lanes/lanes';
import type { MemberState, TeamState } from '../contract/state';
import { hasEnded } from '../contract/status';
import { leadIsAgent, type TeamConfig } from './config';
import { failedGateOf, waitsAgain } from './gates/gates';
import { leadIsWoken } from './messages/queue';

type View = ActivationView<TeamConfig>;

/** Ends the step when all members are stopped or merged and nothing is left to say (SPEC "Teams"). */
export function finishTeam(view: View, team: TeamState): StepDecision[] {
  const members = Object.values(team.members);
  const undecided = Object.values(team.merges).some(
    (merge) => ['requested', 'rehearsed', 'confirmed'].includes(merge.status) || waitsAgain(team, merge),
  );
  if (team.cleanedUp !== null) {
    const open = members.filter((member) => !hasEnded(member) && member.stopping === null);
    if (open.length > 0) return [{ kind: 'tell', events: open.map((member) => stopOf(view, member)) }];
  }
  const allEnded = members.length > 0 && members.every(hasEnded);
  const undecidedFailure = members.some((member) => member.failed !== null && !answered(view, team, member));
  const done = team.cleanedUp !== null ? members.every(hasEnded) : allEnded && !undecidedFailure;
  if (!done || undecided || leadBusy(view, team)) return [];
  return [finish(view, team)];
}

const stopOf = (view: View, member: MemberState): RunEvent => ({
  type: 'team.stopping',
  activationId: view.activationId,
  member: member.name,
  by: 'cleanup',
  force: true,
});

/** A failed member may still be resumed. */
const answered = (view: View, team: TeamState, member: MemberState): boolean =>
  failedGateOf(view, team, member)?.answer != null;

/** The lead has a turn in flight, or one to come. */
function leadBusy(view: View, team: TeamState): boolean {
  if (!leadIsAgent(view.config)) return false;
  const { last, broken } = view.lane(LEAD_LANE);
  return broken === null && (last?.status === 'in_flight' || leadIsWoken(team));
}

function finish(view: View, team: TeamState): FinishDecision {
  const members = Object.values(team.members);
  const results: Record<string, Json> = {};
  for (const member of members) {
    const last = member.rounds.findLast((round) => round.result !== null)?.result;
    setOwnValue(results, member.name, {
      result: last?.text ?? null,
      rounds: member.rounds.length,
      outcome: member.merged ? 'merged' : member.failed ? 'failed' : 'stopped',
    });
  }
  const merged = members
    .map((member) => `═══ ${member.name}: ${view.agentName(member.profileId)} ═══\n${textOf(member)}`)
    .join('\n');
  const receipt: Record<string, Json> = {
    step_id: view.stepId,
    attempt: view.attempt,
    members: members.length,
    merged: members.filter((member) => member.merged !== null).length,
    failed: members.filter((member) => member.failed !== null).length,
    rounds: members.reduce((sum, member) => sum + member.rounds.length, 0),
    messages: Object.keys(team.messages).length,
    tokens: members.reduce((sum, member) => sum + tokensOf(view, member), 0),
  };
  const bundle = (content: Json, port: string, kind: 'markdown' | 'json') =>
    makeBundle(content, {
      stepId: view.stepId,
      activationId: view.activationId,
      port,
      sessionKey: null,
      kind,
    });
  const outputs = {
    data_out: bundle({ merged_content: merged, members: results }, 'data_out', 'markdown'),
    receipt_out: bundle(receipt, 'receipt_out', 'json'),
  };
  const none = members.length > 0 && members.every((member) => member.failed !== null);
  return {
    kind: 'finish',
    outcome: none ? 'failed' : 'succeeded',
    outputs,
    signals: [...Object.keys(outputs), 'signal_out'],
    receipt,
    warnings: [],
    error: none ? (members[0]?.failed?.error ?? null) : null,
  };
}

const textOf = (member: MemberState): string =>
  member.rounds.findLast((round) => round.result !== null)?.result?.text ?? '';

const tokensOf = (view: View, member: MemberState): number =>
  view.lane(memberLane(member.name)).turns.reduce((sum, turn) => sum + (turn?.usage?.total_tokens ?? 0), 0);
