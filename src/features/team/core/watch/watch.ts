import { ownValue } from '@contract/own';
import type { TimerKey } from '@contract/run/keys';
import { MINUTE_MS } from '@contract/time-units';
import type { StepDecision } from '@main/core/step/decision';
import type { ActivationView, LaneView } from '@main/core/step/module';
import { LEAD, OPERATOR } from '../../contract/events';
import type { TeamKey } from '../../contract/keys';
import { LEAD_LANE, memberLane } from '../../contract/lanes/lanes';
import { isInstructed } from '../../contract/lanes/queue';
import type { MemberState, TeamState } from '../../contract/state';
import { idleKey } from '../../contract/status';
import { leadIsAgent, type TeamConfig } from '../config';
import { noticeOnce } from '../messages/notice';

type View = ActivationView<TeamConfig>;

/** A watched agent: a member, or a lead agent. */
export interface Watched {
  readonly name: string;
  readonly lane: string;
  readonly stalled: MemberState['stalled'];
}

export const watchedMember = ({ name, stalled }: MemberState): Watched => ({
  name,
  lane: memberLane(name),
  stalled,
});

/** None if the operator leads. */
export const watchedLead = (view: View, { leadStalled }: TeamState): Watched[] =>
  leadIsAgent(view.config) ? [{ name: LEAD, lane: LEAD_LANE, stalled: leadStalled }] : [];

/** The start of a sentence about a watched agent. */
export const titleOf = ({ name }: Pick<Watched, 'name'>): string => (name === LEAD ? 'The lead' : name);

/**
 * Watches members and their lead for turns without a sign of life, long rounds, and waits that no one ends.
 * Each is reported to the lead and the operator; none ends work (SPEC "Teams").
 */
export function watch(view: View, team: TeamState, open: readonly MemberState[]): StepDecision[] {
  return [
    ...watchedLead(view, team).flatMap((lead) => [
      ...watchTurn(view, team, lead),
      ...watchRound(view, team, lead),
    ]),
    ...open.flatMap((member) => [
      ...watchTurn(view, team, watchedMember(member)),
      ...watchRound(view, team, watchedMember(member)),
      ...watchWait(view, team, member),
    ]),
  ];
}

/** Reports about a member go to the lead; reports about the lead only to the operator. */
const tellOf = (
  view: View,
  team: TeamState,
  { name, about, text }: { readonly name: string; readonly about: TeamKey; readonly text: string },
): StepDecision[] => noticeOnce(view, team, { about, text, ...(name === LEAD ? { to: OPERATOR } : {}) });

/** A turn's timer is set again and again while the turn is in flight. */
const stallTimer = ({ name }: Pick<Watched, 'name'>, turnId: number, count: number): TimerKey => [
  'team.stall',
  name,
  turnId,
  count,
];

/** Sets or clears the stalled flag. */
const flag = ({ activationId }: View, { name }: Watched, why: string | null): StepDecision => ({
  kind: 'tell',
  events: [{ type: 'team.stalled', activationId, member: name, why }],
});

/** The stall of the turn in flight. */
export const stalledIn = ({ stalled }: Watched, last: LaneView['last']): Watched['stalled'] =>
  last?.status === 'in_flight' && stalled !== null && stalled.since > last.startedAt ? stalled : null;

function watchTurn(view: View, team: TeamState, watched: Watched): StepDecision[] {
  const { last } = view.lane(watched.lane);
  const stalled = stalledIn(watched, last);
  // It belonged to an earlier turn.
  if (stalled === null && watched.stalled !== null) return [flag(view, watched, null)];
  if (last?.status !== 'in_flight') return [];
  const every = view.config.stall_minutes * MINUTE_MS;
  let count = 1;
  let since = last.startedAt;
  let timer = view.timer(stallTimer(watched, last.turnId, count));
  let silent = false;
  while (timer?.fired === true) {
    silent = (timer.heardAt ?? last.startedAt) <= timer.dueAt - every;
    since = silent ? timer.dueAt : Math.max(timer.heardAt ?? 0, last.startedAt);
    count += 1;
    timer = view.timer(stallTimer(watched, last.turnId, count));
  }
  const decisions: StepDecision[] = [];
  const why = `nothing was heard of it for ${view.config.stall_minutes} minutes`;
  if (silent && stalled === null) decisions.push(flag(view, watched, why));
  else if (!silent && stalled !== null) decisions.push(flag(view, watched, null));
  if (silent) {
    const about = stalledKey(watched, last.turnId);
    const text = `${titleOf(watched)} stalls: ${why}.`;
    decisions.push(...tellOf(view, team, { name: watched.name, about, text }));
  }
  const purpose = stallTimer(watched, last.turnId, count);
  decisions.push({ kind: 'timer', purpose, dueAt: since + every, watches: last.turnId });
  return decisions;
}

/** Key of a stall's notice and gate. */
export const stalledKey = ({ name }: Pick<Watched, 'name'>, turnId: number): TeamKey => [
  'team.stalled',
  name,
  turnId,
];

type RoundKey = Extract<TeamKey, readonly ['team.round', ...unknown[]]>;

interface LongWork {
  /** Key of the timer, the notice and the gate. */
  readonly about: RoundKey;
  readonly startedAt: number;
  /** The subject of the work. */
  readonly what: string;
}

/** The current work and its duration: a member's round, or a lead's turn. Null if there is none. */
export function longWork(view: View, team: TeamState, { name, lane }: Watched): LongWork | null {
  if (name === LEAD) {
    const { last } = view.lane(lane);
    if (last?.status !== 'in_flight') return null;
    return { about: ['team.round', LEAD, last.turnId, null], startedAt: last.startedAt, what: 'its turn' };
  }
  const round = ownValue(team.members, name)?.rounds.at(-1);
  if (round === undefined || round.result !== null) return null;
  const what = `round ${round.round}`;
  const { last } = view.lane(lane);
  if (last?.status === 'limit' || last?.status === 'login') return null;
  // Waiting for its provider does not count as work.
  const { waitedAt = null } = last ?? {};
  if (last === null || waitedAt === null || !round.turnIds.includes(waitedAt))
    return { about: ['team.round', name, round.round, null], startedAt: round.startedAt, what };
  return { about: ['team.round', name, round.round, waitedAt], startedAt: last.startedAt, what };
}

/** The duration, in the words of the notice and the gate. */
export const longWords = (view: View, watched: Watched, { what }: LongWork): string =>
  `${titleOf(watched)} has worked on ${what} for ${view.config.round_minutes} minutes.`;

function watchRound(view: View, team: TeamState, watched: Watched): StepDecision[] {
  const work = longWork(view, team, watched);
  if (work === null) return [];
  const { about, startedAt } = work;
  if (view.timer(about)?.fired === true && view.lane(watched.lane).last?.status !== 'in_flight') return [];
  if (view.timer(about)?.fired === true)
    return tellOf(view, team, { name: watched.name, about, text: longWords(view, watched, work) });
  const dueAt = startedAt + view.config.round_minutes * MINUTE_MS;
  return [{ kind: 'timer', purpose: about, dueAt, watches: null }];
}

/** An instruction waits for it. A note does not end a wait: it is read with the next instruction. */
export const isCalled = (team: TeamState, { queue }: MemberState): boolean => isInstructed(team, queue);

/**
 * An iterative member that waits too long is reported, then parked; its branch stays and it can be called
 * again.
 */
function watchWait(view: View, team: TeamState, member: MemberState): StepDecision[] {
  const round = member.rounds.at(-1);
  if (!member.iterative || member.stopping !== null || isCalled(team, member)) return [];
  if (round === undefined || round.finishedAt === null) return [];
  const minutes = member.idleMinutes ?? view.config.idle_minutes;
  const purpose = idleKey(member);
  if (view.timer(purpose)?.fired !== true)
    return [
      ...warning(view, team, { member, since: round.finishedAt, minutes }),
      { kind: 'timer', purpose, dueAt: round.finishedAt + minutes * MINUTE_MS, watches: null },
    ];
  const text = `${member.name} has waited for ${minutes} minutes after round ${round.round}, and is parked. Its branch is kept; a message takes it up again.`;
  return [
    ...noticeOnce(view, team, { about: purpose, text }),
    { kind: 'release', lane: memberLane(member.name), how: 'park' },
  ];
}

/** The share of the maximum wait after which a member's lead and the operator are reminded. */
const WARNED_AFTER = 0.8;
/** A shorter maximum wait, in minutes, needs no reminder. */
const LEAST_WARNED = 5;

interface Waiting {
  readonly member: MemberState;
  readonly since: number;
  readonly minutes: number;
}

/** Reminds the lead of a waiting round before its member is parked. */
function warning(view: View, team: TeamState, { member, since, minutes }: Waiting): StepDecision[] {
  if (minutes < LEAST_WARNED) return [];
  const [, name, round] = idleKey(member);
  const purpose = ['team.before-idle', name, round] as const;
  if (view.timer(purpose)?.fired !== true)
    return [{ kind: 'timer', purpose, dueAt: since + minutes * WARNED_AFTER * MINUTE_MS, watches: null }];
  const waited = Math.round(minutes * WARNED_AFTER);
  const text = `${member.name} has waited for ${waited} minutes for an answer to round ${member.rounds.length}. After ${minutes} minutes it is parked; a message takes it up again.`;
  return noticeOnce(view, team, { about: purpose, text });
}
