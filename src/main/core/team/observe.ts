import type { RunEvent } from '@contract/run/events';
import { LEAD_LANE, memberLane } from '@contract/run/reduce/team';
import { LEAD, OPERATOR } from '@contract/team/events';
import type { MemberState, TeamMessage, TeamState } from '@contract/team/state';
import { taskResultParts } from '@contract/team/task-result';
import type { ActivationView, ObservedTurn } from '../step/module';
import { turnUpdate } from '../step/update';
import { leadIsAgent, type TeamConfig } from './config';
import { endOfLast } from './decide';
import { roundsAllowed } from './limits';
import { hasTaskResult, readTaskResult } from './task-result';
import { unreadAtTheEnd } from './unread';

type View = ActivationView<TeamConfig>;

/** What the end of a turn tells: a member's round is delivered, stored before anybody is told of it; the lead speaks. */
export function observeTeam(view: View, turn: ObservedTurn): RunEvent[] {
  const { team } = view;
  // A round goes on where its turn was cut off: it has its update when it is delivered.
  if (team === null || turn.ended === 'interrupted') return [];
  if (turn.lane === LEAD_LANE) return leadSpoke(view, team, turn);
  const member = Object.values(team.members).find((one) => memberLane(one.name) === turn.lane);
  return member === undefined ? [] : memberSpoke(view, { team, member }, turn);
}

/** What a lead says at the end of its turn is for the operator. */
function leadSpoke(view: View, team: TeamState, turn: ObservedTurn): RunEvent[] {
  if (!turn.completed || turn.whole.trim() === '') return [];
  return [
    {
      type: 'team.message',
      activationId: view.activationId,
      messageId: team.last.message + 1,
      from: LEAD,
      to: [OPERATOR],
      kind: 'note',
      text: turn.whole.trim(),
      turnId: turn.turnId,
    },
  ];
}

function memberSpoke(
  view: View,
  { team, member }: { team: TeamState; member: MemberState },
  turn: ObservedTurn,
): RunEvent[] {
  const { activationId } = view;
  const round = member.rounds.at(-1);
  const ordinal = Math.max(0, (round?.round ?? 1) - 1);
  if (!turn.completed)
    return turn.errorText === null ? [] : [update(view, { member, turn: { ...turn, ordinal } })];
  const sent = sentResult(team, member, turn);
  if (member.planApproval && member.plan.status !== 'approved') {
    const plan = readTaskResult(sent?.text ?? turn.whole).text;
    const about = { activationId, member: member.name, status: 'pending' as const, reason: null };
    return [{ type: 'team.plan', ...about, plan, by: member.name }];
  }
  if (round === undefined || round.result !== null) return [];
  const { claim, text } = readTaskResult(sent?.text ?? turn.whole);
  const result: RunEvent = {
    type: 'team.result',
    activationId,
    member: member.name,
    round: round.round,
    turnId: turn.turnId,
    claim,
    text,
    changes: view.lane(memberLane(member.name)).turns.at(-1)?.changes ?? null,
    final: round.final,
  };
  const told: RunEvent[] =
    sent === undefined
      ? [
          {
            type: 'team.message',
            activationId,
            messageId: team.last.message + 1,
            from: member.name,
            to: [leadIsAgent(view.config) ? LEAD : OPERATOR],
            kind: 'result',
            // With what stands around the result, where something does: questions, for example.
            text: taskResultParts(turn.whole).length > 1 ? turn.whole.trim() : text,
            turnId: turn.turnId,
          },
        ]
      : [];
  const stops = round.final ? endOfLast(view, member, activationId) : [];
  const ended = stops.length > 0 ? [...stops, ...unreadAtTheEnd(view, { team, member }, told.length)] : [];
  return [result, ...told, update(view, { member, turn: { ...turn, ordinal }, text }), ...ended];
}

/**
 * The result that its tool has sent already: in this turn, or in an earlier one of the round, which was cut off or sent
 * again, unless this turn says another one.
 */
function sentResult(team: TeamState, member: MemberState, turn: ObservedTurn): TeamMessage | undefined {
  const results = Object.values(team.messages).filter(
    (message) => message.from === member.name && message.kind === 'result',
  );
  const now = results.findLast((message) => message.turnId === turn.turnId);
  if (now !== undefined || hasTaskResult(turn.whole)) return now;
  const turnIds = member.rounds.at(-1)?.turnIds ?? [];
  return results.findLast(({ turnId }) => turnId !== null && turnIds.includes(turnId));
}

/** A delivered round is `completed`, whatever the member claims of its task (SPEC "Loops and updates"). */
function update(
  view: View,
  { member, turn, text }: { member: MemberState; turn: ObservedTurn; text?: string },
): RunEvent {
  const of = Math.max(roundsAllowed(view, member), turn.ordinal + 1);
  const retry = toldBefore(view, member, turn);
  const told = text === undefined ? turn : { ...turn, response: text };
  const { activationId, title } = view;
  const posted = turnUpdate({ stepId: member.name, activationId, title }, { ...told, of, retry });
  return posted.type === 'update.posted' ? { ...posted, stepId: view.stepId } : posted;
}

/** How many updates of its round were posted before: of turns that ended badly, but not of one that was cut off. */
function toldBefore(view: View, { rounds }: MemberState, { turnId, retry }: ObservedTurn): number {
  const turnIds = rounds.at(-1)?.turnIds ?? [];
  const place = turnIds.indexOf(turnId);
  if (place < 0) return retry;
  const quiet = ['completed', 'interrupted', 'in_flight'];
  return turnIds.slice(0, place).filter((id) => !quiet.includes(view.turnStatus(id) ?? 'in_flight')).length;
}
