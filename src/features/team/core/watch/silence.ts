import type { RunEvent } from '@contract/run/events';
import type { StepDecision } from '@main/core/step/decision';
import type { ActivationView } from '@main/core/step/module';
import { LEAD, OPERATOR } from '../../contract/events';
import { type TeamKey, teamKey } from '../../contract/keys';
import { memberLane } from '../../contract/lanes/lanes';
import { MUSTER } from '../../contract/messages/thread';
import type { MemberState, TeamState } from '../../contract/state';
import { hasEnded } from '../../contract/status';
import { ask, stop, takeBack, tell } from '../base/operator-questions';
import { leadIsAgent, type TeamConfig } from '../config';

type View = ActivationView<TeamConfig>;

const REMINDER =
  'Your turn ended without a result. Send it now: <task-result>your output</task-result>. If you cannot go on, say what you need.';

const isKnown = ({ messages }: TeamState, about: string): boolean =>
  Object.values(messages).some((message) => message.about === about);

/** Asks a member once for what its turn lacked; null if it was asked before. */
export function reminder(
  { activationId }: View,
  team: TeamState,
  { name, of }: { readonly name: string; readonly of: string },
): RunEvent | null {
  const about = `silent ${name} ${of}`;
  if (isKnown(team, about)) return null;
  const message = { activationId, messageId: team.last.message + 1, from: MUSTER, to: [name] };
  return { type: 'team.message', ...message, kind: 'instruction', text: REMINDER, about };
}

const againKey = (name: string, turnId: number): TeamKey => ['team.silent-again', name, turnId];

/**
 * A turn without text or result delivers nothing: the member is reminded once, then the operator is asked.
 */
export function silence(
  view: View,
  team: TeamState,
  { member, turnId }: { readonly member: MemberState; readonly turnId: number },
): RunEvent[] {
  const { name, rounds } = member;
  const round = rounds.at(-1);
  // A silent last round leaves the previous round's result in place.
  if (round === undefined || round.final) return [];
  const remind = reminder(view, team, { name, of: String(round.round) });
  if (remind !== null) return [remind];
  return [
    {
      type: 'team.message',
      activationId: view.activationId,
      messageId: team.last.message + 1,
      from: MUSTER,
      to: [leadIsAgent(view.config) ? LEAD : OPERATOR],
      kind: 'notice',
      text: `${name} ended its turn without a result, also after a reminder. The user is asked what to do.`,
      about: teamKey.text(againKey(name, turnId)),
    },
  ];
}

/** The gate about a member with two silent turns. */
export function silenceGate(view: View, team: TeamState, member: MemberState): StepDecision[] {
  const { activationId } = view;
  const { name, rounds, stopping, queue } = member;
  const round = rounds.at(-1);
  const { last, turns } = view.lane(memberLane(name));
  if (last === null || round === undefined) return [];
  const about = againKey(name, last.turnId);
  if (!isKnown(team, teamKey.text(about))) return [];
  const waits =
    !hasEnded(member) && stopping === null && round.result === null && last.status === 'completed';
  if (!waits || queue.length > 0) return takeBack(view, about, `${name} goes on.`);
  const answer = view.gateByKey(about)?.answer?.option;
  if (answer === 'stop') return tell(stop(view, member, false));
  if (answer === 'remind') {
    const message = { activationId, messageId: team.last.message + 1, from: OPERATOR, to: [name] };
    return tell({ type: 'team.message', ...message, kind: 'instruction', text: REMINDER });
  }
  if (answer === 'accept') {
    const { turnId } = last;
    const result = { activationId, member: name, round: round.round, turnId, claim: 'none' as const };
    const changes = turns.at(-1)?.changes ?? null;
    return tell({ type: 'team.result', ...result, text: '', changes, final: false });
  }
  return ask(view, {
    about,
    lane: memberLane(name),
    gate: 'team_stalled',
    title: `${name} ended its turn without a result`,
    message: `Round ${round.round} is not delivered. It was reminded once.`,
    options: [
      {
        id: 'remind',
        label: 'Remind it again',
        effect: 'It is asked for its result once more.',
        tone: 'approve',
      },
      {
        id: 'accept',
        label: 'Take it as delivered',
        effect: 'What it changed is its result; the round has no words.',
        tone: 'neutral',
      },
      { id: 'stop', label: 'Stop it', effect: `${name} stops; its branch stays.`, tone: 'reject' },
    ],
  });
}
