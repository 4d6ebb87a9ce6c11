import type { RunEvent } from '@contract/run/events';
import { LEAD_LANE, memberLane } from '@contract/run/reduce/team';
import { LEAD, OPERATOR } from '@contract/team/events';
import type { MemberState, TeamState } from '@contract/team/state';
import type { ActivationView, ObservedTurn } from '../step/module';
import { turnUpdate } from '../step/update';
import { leadIsAgent, type TeamConfig } from './config';
import { endOfLast } from './decide';
import { readTaskResult } from './task-result';

type View = ActivationView<TeamConfig>;

/** What the end of a turn tells: a member's round is delivered, stored before anybody is told of it; the lead speaks. */
export function observeTeam(view: View, turn: ObservedTurn): RunEvent[] {
  const { team } = view;
  if (team === null) return [];
  if (turn.lane === LEAD_LANE) return leadSpoke(view, team, turn);
  const member = Object.values(team.members).find((one) => memberLane(one.name) === turn.lane);
  return member === undefined ? [] : memberSpoke(view, { team, member }, turn);
}

/** What a lead says at the end of its turn is for the operator. */
function leadSpoke(view: View, team: TeamState, turn: ObservedTurn): RunEvent[] {
  if (!turn.completed || turn.response.trim() === '') return [];
  return [
    {
      type: 'team.message',
      activationId: view.activationId,
      messageId: team.last.message + 1,
      from: LEAD,
      to: [OPERATOR],
      kind: 'note',
      text: turn.response.trim(),
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
  if (!turn.completed) return turn.errorText === null ? [] : [update(view, { member, turn })];
  if (member.planApproval && member.plan.status !== 'approved') {
    const plan = readTaskResult(turn.response).text;
    const about = { activationId, member: member.name, status: 'pending' as const, reason: null };
    return [{ type: 'team.plan', ...about, plan, by: member.name }];
  }
  const round = member.rounds.at(-1);
  if (round === undefined || round.result !== null) return [];
  // Sent by its tool in this turn, it is on its way already.
  const sent = Object.values(team.messages).findLast(
    (message) => message.turnId === turn.turnId && message.from === member.name && message.kind === 'result',
  );
  const { claim, text } = readTaskResult(sent?.text ?? turn.response);
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
            text,
            turnId: turn.turnId,
          },
        ]
      : [];
  const ended = round.final ? endOfLast(view, member, activationId) : [];
  return [
    result,
    ...told,
    update(view, { member, turn: { ...turn, ordinal: round.round - 1 }, text }),
    ...ended,
  ];
}

/** A delivered round is `completed`, whatever the member claims of its task (SPEC "Loops and updates"). */
function update(
  view: View,
  { member, turn, text }: { member: MemberState; turn: ObservedTurn; text?: string },
): RunEvent {
  const of = Math.max(view.config.max_rounds, turn.ordinal + 1);
  const told = text === undefined ? turn : { ...turn, response: text };
  const { activationId, title } = view;
  const posted = turnUpdate({ stepId: member.name, activationId, title }, { ...told, of });
  return posted.type === 'update.posted' ? { ...posted, stepId: view.stepId } : posted;
}
