import { taskResultParts } from '@areas/sessions/contract/task-result';
import type { RunEvent } from '@contract/run/events';
import type { ActivationView, ObservedTurn } from '@main/core/step/module';
import { turnUpdate } from '@main/core/step/update';
import { LEAD, OPERATOR } from '../../contract/events';
import { teamKey } from '../../contract/keys';
import { LEAD_LANE, memberLane } from '../../contract/lanes/lanes';
import type { MemberState, TeamMessage, TeamState } from '../../contract/state';
import { isPlanning } from '../../contract/status';
import { roundsAllowed } from '../base/limits';
import { endOfLast } from '../base/member-events';
import { leadIsAgent, type TeamConfig } from '../config';
import { isQuestion } from '../messages/question';
import { hasTaskResult, readTaskResult, unknownStatus } from '../messages/task-result';
import { unreadAtTheEnd } from '../messages/unread-messages';
import { reminder, silence } from './silence';

type View = ActivationView<TeamConfig>;

/**
 * Events at the end of a turn: a member's round is delivered, stored before anyone is notified; the lead's
 * words are recorded.
 */
export function observeTeam(view: View, turn: ObservedTurn): RunEvent[] {
  const team = view.part('teams');
  // An interrupted round continues: its update follows at its delivery.
  if (team === null || turn.ended === 'interrupted') return [];
  if (turn.lane === LEAD_LANE) return leadSpoke(view, team, turn);
  const member = Object.values(team.members).find((one) => memberLane(one.name) === turn.lane);
  return member === undefined ? [] : memberSpoke(view, { team, member }, turn);
}

/** A lead's words at the end of its turn are for the operator. */
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
  const silent = sent === undefined && turn.whole.trim() === '' && !hasAsked(team, member, turn);
  if (isPlanning(member)) {
    const remind = silent ? reminder(view, team, { name: member.name, of: 'plan' }) : null;
    if (remind !== null) return [remind];
    const plan = readTaskResult(sent?.text ?? turn.whole).text;
    const about = { activationId, member: member.name, status: 'pending' as const, reason: null };
    return [{ type: 'team.plan', ...about, plan, by: member.name }];
  }
  if (round === undefined || round.result !== null) return [];
  if (silent) return silence(view, team, { member, turnId: turn.turnId });
  if (sent === undefined && !hasTaskResult(turn.whole)) {
    const asks = questionGate(view, { team, member }, turn);
    if (asks !== null) return asks;
  }
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
  // Includes text around the result, such as questions.
  const words = taskResultParts(turn.whole).length > 1 ? turn.whole.trim() : text;
  const messageEvents: RunEvent[] =
    sent === undefined
      ? [
          ...outdated(team, member, turn),
          messageOf(view, team, { name: member.name, kind: 'result', text: words, turnId: turn.turnId }),
          ...unknownClaim(view, { team, member }, turn),
        ]
      : [];
  const messages = messageEvents.filter(({ type }) => type === 'team.message').length;
  const stops = round.final ? endOfLast(view, member, activationId) : [];
  const ended = stops.length > 0 ? [...stops, ...unreadAtTheEnd(view, { team, member }, messages)] : [];
  const done = !member.iterative && claim === 'completed' ? completedTasks(team, member) : [];
  return [
    result,
    ...messageEvents,
    ...done,
    update(view, { member, turn: { ...turn, ordinal }, text }),
    ...ended,
  ];
}

/** The tool refuses such a result; at the end of a turn it counts, and its reader is told. */
function unknownClaim(
  view: View,
  { team, member }: { team: TeamState; member: MemberState },
  { whole, turnId }: ObservedTurn,
): RunEvent[] {
  const status = unknownStatus(whole);
  if (status === null) return [];
  return [
    {
      type: 'team.message',
      activationId: view.activationId,
      messageId: team.last.message + 2,
      from: 'muster',
      to: [leadIsAgent(view.config) ? LEAD : OPERATOR],
      kind: 'notice',
      text: `The result of ${member.name} has the unknown status "${status.slice(0, 40)}". It counts as a result without a status.`,
      about: teamKey.text(['team.unknown-status', member.name, turnId]),
    },
  ];
}

interface Words {
  readonly name: string;
  readonly kind: 'result' | 'note';
  readonly text: string;
  readonly turnId: number;
}

/** A member's message to its lead at the end of a turn. */
const messageOf = (view: View, team: TeamState, { name, kind, text, turnId }: Words): RunEvent => ({
  type: 'team.message',
  activationId: view.activationId,
  messageId: team.last.message + 1,
  from: name,
  to: [leadIsAgent(view.config) ? LEAD : OPERATOR],
  kind,
  text,
  turnId,
});

/** A one-shot member that reports its task completed completes its claimed tasks. */
const completedTasks = ({ activationId, tasks }: TeamState, { name }: MemberState): RunEvent[] =>
  Object.values(tasks).flatMap(({ id: taskId, owner, status }): RunEvent[] =>
    owner === name && status === 'in_progress'
      ? [{ type: 'team.task-completed', activationId, taskId, by: name }]
      : [],
  );

/** A member's messages to its lead by tool during the turn that are not results. */
const notesOf = (team: TeamState, { name }: MemberState, { turnId }: ObservedTurn): TeamMessage[] =>
  Object.values(team.messages).filter(
    (message) =>
      message.from === name &&
      message.kind === 'note' &&
      message.turnId === turnId &&
      (message.deliveries[LEAD] !== undefined || message.deliveries[OPERATOR] !== undefined),
  );

const hasAsked = (team: TeamState, member: MemberState, turn: ObservedTurn): boolean => {
  const last = notesOf(team, member, turn).at(-1);
  return last !== undefined && isQuestion(last.text);
};

/**
 * If the turn ends with a question, nothing is delivered: the round continues with the answer. Null if there
 * is no question.
 */
function questionGate(
  view: View,
  { team, member }: { team: TeamState; member: MemberState },
  turn: ObservedTurn,
): RunEvent[] | null {
  if (member.rounds.at(-1)?.final === true) return null;
  if (hasAsked(team, member, turn)) return [];
  if (notesOf(team, member, turn).length > 0 || !isQuestion(turn.whole)) return null;
  const text = turn.whole.trim();
  return [messageOf(view, team, { name: member.name, kind: 'note', text, turnId: turn.turnId })];
}

/** Unread results of this turn that its final text replaces. */
function outdated(team: TeamState, { name }: MemberState, { turnId }: ObservedTurn): RunEvent[] {
  const { activationId } = team;
  return Object.values(team.messages).flatMap((message): RunEvent[] =>
    message.from === name &&
    message.kind === 'result' &&
    message.turnId === turnId &&
    Object.values(message.deliveries).some(({ state }) => state === 'queued')
      ? [{ type: 'team.message-withdrawn', activationId, messageId: message.id, by: name }]
      : [],
  );
}

/**
 * The result already sent by tool: in this turn, or in an earlier one of the round that was interrupted or
 * resent. None if this turn ends with another result, since a turn's last result counts.
 */
function sentResult(team: TeamState, member: MemberState, turn: ObservedTurn): TeamMessage | undefined {
  const results = Object.values(team.messages).filter(
    (message) => message.from === member.name && message.kind === 'result',
  );
  const now = results.findLast((message) => message.turnId === turn.turnId);
  if (hasTaskResult(turn.whole)) {
    const same = now !== undefined && readTaskResult(now.text).text === readTaskResult(turn.whole).text;
    return same ? now : undefined;
  }
  if (now !== undefined) return now;
  const turnIds = member.rounds.at(-1)?.turnIds ?? [];
  return results.findLast(({ turnId }) => turnId !== null && turnIds.includes(turnId));
}

/** A delivered round is `completed`, whatever the member claims about its task (SPEC "Loops and updates"). */
function update(
  view: View,
  { member, turn, text }: { member: MemberState; turn: ObservedTurn; text?: string },
): RunEvent {
  const of = Math.max(roundsAllowed(view, member), turn.ordinal + 1);
  const retry = timesReported(view, member, turn);
  const shownTurn = text === undefined ? turn : { ...turn, response: text };
  const { activationId, title } = view;
  const posted = turnUpdate({ stepId: member.name, activationId, title }, { ...shownTurn, of, retry });
  return posted.type === 'update.posted' ? { ...posted, stepId: view.stepId } : posted;
}

/** Number of earlier updates of its round: for failed turns, but not for interrupted ones. */
function timesReported(view: View, { rounds }: MemberState, { turnId, retry }: ObservedTurn): number {
  const turnIds = rounds.at(-1)?.turnIds ?? [];
  const place = turnIds.indexOf(turnId);
  if (place < 0) return retry;
  const quiet = ['completed', 'interrupted', 'in_flight'];
  return turnIds.slice(0, place).filter((id) => !quiet.includes(view.turnStatus(id) ?? 'in_flight')).length;
}
