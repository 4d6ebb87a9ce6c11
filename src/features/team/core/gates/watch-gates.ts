import { markdown } from '@areas/evidence/contract/response-pieces';
import type { GateOption } from '@areas/gates/contract/gate';
import { ownValue } from '@contract/own';
import type { StepDecision } from '@main/core/step/decision';
import type { ActivationView, LaneView } from '@main/core/step/module';
import { OPERATOR } from '../../contract/events';
import type { TeamKey } from '../../contract/keys';
import { memberLane } from '../../contract/lanes/lanes';
import type { MemberState, TeamState } from '../../contract/state';
import { hasEnded, idleKey } from '../../contract/status';
import { ask, stop, takeBack, tell } from '../base/operator-questions';
import type { TeamConfig } from '../config';
import {
  isCalled,
  longWords,
  longWork,
  stalledIn,
  stalledKey,
  titleOf,
  type Watched,
  watchedLead,
  watchedMember,
} from '../watch/watch';

type View = ActivationView<TeamConfig>;
type Last = NonNullable<LaneView['last']>;

const WAIT: GateOption = { id: 'wait', label: 'Wait', effect: 'It goes on as it is.', tone: 'approve' };
const INTERRUPT: GateOption = {
  id: 'interrupt',
  label: 'Interrupt',
  effect: 'Its turn is ended; you can say what is next.',
  tone: 'neutral',
};
const RESEND: GateOption = {
  id: 'resend',
  label: 'Send again',
  effect: 'Its turn is ended, and its prompt is sent once more.',
  tone: 'neutral',
};

/** The gates about a watched member, and the consequences of the answers. */
export function watchGates(view: View, team: TeamState, member: MemberState): StepDecision[] {
  const watched = watchedMember(member);
  const { last } = view.lane(watched.lane);
  const end: GateOption = {
    id: 'stop',
    label: 'Stop it',
    effect: `${member.name} ends at once; its branch stays.`,
    tone: 'reject',
  };
  const gates =
    last === null ? [] : turnGates(view, team, { watched, last, options: [WAIT, INTERRUPT, end] });
  const stops = gates.some(({ answer }) => answer === 'stop') && member.stopping === null;
  return [
    ...(stops && !hasEnded(member) ? tell(stop(view, member, true)) : []),
    ...gates.flatMap(({ decisions }) => decisions),
    ...idleGate(view, team, member),
  ];
}

/** The same for a lead agent. It is not stopped, since no one else would read the members' deliveries. */
export function leadWatchGates(view: View, team: TeamState): StepDecision[] {
  return watchedLead(view, team).flatMap((watched) => {
    const { last } = view.lane(watched.lane);
    if (last === null) return [];
    const gates = turnGates(view, team, { watched, last, options: [WAIT, RESEND, INTERRUPT] });
    return gates.flatMap(({ decisions }) => decisions);
  });
}

interface WatchAnswer {
  readonly answer: string | null;
  readonly decisions: StepDecision[];
}

interface Turn {
  readonly watched: Watched;
  readonly last: Last;
  readonly options: readonly GateOption[];
}

/** The gates about a watched agent's last turn: it is silent, or takes long. */
function turnGates(view: View, team: TeamState, turn: Turn): WatchAnswer[] {
  const { watched, last } = turn;
  const title = titleOf(watched);
  return [
    turnGate(view, turn, {
      about: stalledKey(watched, last.turnId),
      title: `${title} stalls`,
      message: stalledIn(watched, last)?.why ?? null,
    }),
    turnGate(view, turn, {
      about: longKey(watched, last.turnId),
      title: `${title} takes long`,
      message: tooLong(view, team, turn),
    }),
  ];
}

const longKey = ({ name }: Watched, turnId: number): TeamKey => ['team.takes-long', name, turnId];

/** The work that takes too long; null if none does, or it was asked about in an earlier turn of the round. */
function tooLong(view: View, team: TeamState, { watched, last }: Turn): string | null {
  const work = longWork(view, team, watched);
  if (work === null || view.timer(work.about)?.fired !== true) return null;
  const turns = ownValue(team.members, watched.name)?.rounds.at(-1)?.turnIds ?? [];
  const before = turns.some((id) => id !== last.turnId && view.gateByKey(longKey(watched, id)) !== null);
  return before ? null : longWords(view, watched, work);
}

interface Question {
  readonly about: TeamKey;
  readonly title: string;
  /** Null: there is nothing to ask. */
  readonly message: string | null;
}

function turnGate(
  view: View,
  { watched, last, options }: Turn,
  { about, title, message }: Question,
): WatchAnswer {
  const answer = view.gateByKey(about)?.answer?.option ?? null;
  const follow = followed(view, { watched, last }, answer);
  if (follow.length > 0) return { answer, decisions: follow };
  const decisions =
    message === null || last.status !== 'in_flight'
      ? takeBack(view, about, `${titleOf(watched)} is not at it any more.`)
      : ask(view, { about, lane: watched.lane, gate: 'team_stalled', title, message, options });
  return { answer, decisions };
}

/** Ends the turn; a turn to be resent is resumed like a failed one. */
function followed(
  { activationId }: View,
  { watched: { lane }, last }: Omit<Turn, 'options'>,
  answer: string | null,
): StepDecision[] {
  if (answer !== 'interrupt' && answer !== 'resend') return [];
  if (last.status === 'in_flight') return [{ kind: 'stop', lane, by: OPERATOR }];
  const again = answer === 'resend' && last.status === 'cancelled' && !last.again;
  return again ? tell({ type: 'lane.restored', activationId, lane, by: OPERATOR }) : [];
}

function idleGate(view: View, team: TeamState, member: MemberState): StepDecision[] {
  const about = idleKey(member);
  if (view.timer(about)?.fired !== true) return [];
  if (hasEnded(member) || member.stopping !== null || isCalled(team, member))
    return takeBack(view, about, `${member.name} does not wait any more.`);
  if (view.gateByKey(about)?.answer?.option === 'stop') return tell(stop(view, member, true));
  return ask(view, {
    about,
    lane: memberLane(member.name),
    gate: 'team_stalled',
    title: `${member.name} waits for an answer`,
    message: `It delivered round ${member.rounds.length} and is parked. A message takes it up again.`,
    evidence: markdown(member.rounds.at(-1)?.result?.text),
    options: [
      { id: 'keep', label: 'Keep it', effect: 'It stays parked, with its branch.', tone: 'approve' },
      { id: 'stop', label: 'Stop it', effect: 'It ends; its branch stays.', tone: 'reject' },
    ],
  });
}
