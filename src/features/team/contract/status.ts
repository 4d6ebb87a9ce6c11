import { ownValue } from '@contract/own';
import type { GateState, PlatformState, SessionState, TurnState } from '@contract/run/platform-state';
import { type TeamKey, teamKey } from './keys';
import { LEAD_LANE, memberLane } from './lanes/lanes';
import type { MemberState, RoundState, TaskState, TeamState } from './state';

export const memberWords = [
  'starting',
  'working',
  'awaiting_lead',
  'awaiting_operator',
  'awaiting_permission',
  'idle',
  'parked',
  'stopping',
  'stopped',
  'merged',
  'failed',
] as const;
export type MemberWord = (typeof memberWords)[number];

/** A member's status in the words of SPEC "Teams", since when, and the evidence for it. */
export interface MemberStatus {
  readonly word: MemberWord;
  readonly since: number;
  readonly why: string;
  /** In the middle of a round it waits for its provider: until a known time, or for a login or an answer. */
  readonly provider?: { readonly until: number | null };
}

interface Observed {
  readonly session: SessionState | undefined;
  readonly turn: TurnState | undefined;
  readonly gate: GateState | undefined;
}

function observe(state: PlatformState, team: TeamState, lane: string): Observed {
  const activation = state.activations[team.activationId];
  const session = state.sessions[ownValue(activation?.lanes, lane) ?? 0];
  const turn = state.turns[activation?.turnIds.findLast((id) => state.turns[id]?.lane === lane) ?? 0];
  const gate = Object.values(state.gates).find(
    (one) => one.status === 'open' && turn !== undefined && one.turnId === turn.id,
  );
  return { session, turn, gate };
}

/** The permission that a member's turn waits for. */
export function openPermission(
  state: PlatformState,
  team: TeamState,
  { name }: MemberState,
): GateState | undefined {
  const { gate } = observe(state, team, memberLane(name));
  return gate?.kind === 'permission' ? gate : undefined;
}

const is = (word: MemberWord, since: number, why: string): MemberStatus => ({ word, since, why });

/** A member's status, derived only from the run's events. */
export function memberStatus(state: PlatformState, team: TeamState, member: MemberState): MemberStatus {
  const seen = observe(state, team, memberLane(member.name));
  return (
    ended(member) ??
    inFlight(member, seen) ??
    coming({ state, team, member, seen }) ??
    waiting({ state, team, member, seen })
  );
}

function ended(member: MemberState): MemberStatus | null {
  if (member.merged) return is('merged', member.merged.at, 'its branch is merged');
  if (member.failed) return is('failed', member.failed.at, member.failed.error.message);
  if (member.stopped) return is('stopped', member.stopped.at, member.stopped.reason);
  return null;
}

function inFlight(member: MemberState, { turn, gate }: Observed): MemberStatus | null {
  if (gate?.kind === 'permission')
    return is('awaiting_permission', gate.openedAt, `${stopsAfter(member)}${gate.title}`);
  if (gate?.kind === 'login' || gate?.kind === 'provider_limit')
    return { ...is('awaiting_operator', gate.openedAt, gate.title), provider: { until: null } };
  if (gate !== undefined) return is('awaiting_operator', gate.openedAt, gate.title);
  if (turn?.status === 'in_flight') {
    if (member.stopping) return is('stopping', member.stopping.at, 'its last turn is in flight');
    return is('working', turn.startedAt, turn.label ?? 'a turn is in flight');
  }
  if (turn?.status === 'interrupted')
    return is('awaiting_operator', turn.finishedAt ?? 0, 'its turn was cut off');
  return member.stopping === null ? waitsForProvider(turn) : null;
}

const stopsAfter = ({ stopping }: MemberState): string =>
  stopping === null || stopping.force ? '' : 'stops after your answer: ';

/** Its turn will be resent when the limit ends: in the terms of SPEC "Teams", the member works. */
function waitsForProvider(turn: TurnState | undefined): MemberStatus | null {
  if (turn?.status !== 'limit' && turn?.status !== 'login') return null;
  const why = `waits for its provider${turn.status === 'limit' ? "'s limit to end" : ''}`;
  return { ...is('working', turn.finishedAt ?? 0, why), provider: { until: turn.limitResetsAt } };
}

function coming({ state, team, member, seen: { session } }: Waiting): MemberStatus | null {
  if (member.freezing) return is('stopping', member.freezing.at, 'what it leaves is being kept');
  if (member.stopping) return is('stopping', member.stopping.at, `asked by ${member.stopping.by}`);
  const opens = session?.status === 'starting' || session?.status === 'resuming';
  if (opens) return is('starting', session.since, 'its session is being opened');
  if (member.queue.length > 0 && member.rounds.length === 0)
    return is(
      'starting',
      member.addedAt,
      `its first instruction waits for a place${inLine(state, team, member)}`,
    );
  return null;
}

/** Its number among the members that wait for a place of the same agent. */
function inLine(state: PlatformState, team: TeamState, { name, profileId }: MemberState): string {
  const lanes = state.activations[team.activationId]?.lanes ?? {};
  const waiting = Object.values(team.members).filter(
    (one) =>
      one.profileId === profileId &&
      one.queue.length > 0 &&
      one.rounds.length === 0 &&
      one.stopping === null &&
      !hasEnded(one) &&
      ownValue(lanes, memberLane(one.name)) === undefined,
  );
  const at = waiting.findIndex((one) => one.name === name);
  return waiting.length < 2 || at < 0 ? '' : `, number ${at + 1} of ${waiting.length}`;
}

interface Waiting {
  readonly state: PlatformState;
  readonly team: TeamState;
  readonly member: MemberState;
  readonly seen: Observed;
}

function waiting({ state, team, member, seen }: Waiting): MemberStatus {
  const round = member.rounds.at(-1);
  if (member.plan.status === 'pending' || member.plan.status === 'rejected')
    return is('awaiting_operator', seen.turn?.finishedAt ?? member.addedAt, 'its plan waits for approval');
  if (round === undefined) return is('idle', member.addedAt, 'nothing was asked of it yet');
  const since = round.finishedAt ?? seen.turn?.finishedAt ?? round.startedAt;
  if (isParked(state, team, member))
    return is('parked', seen.session?.since ?? since, seen.session?.reason ?? '');
  if (round.result === null && seen.turn?.status !== 'completed')
    return is('awaiting_operator', since, `round ${round.round} was ended by hand`);
  if (hasReported(member)) return is('idle', since, `round ${round.round} is delivered`);
  const why = waitingWhy(team, member, round);
  const unread = team.leadQueue.some((id) => team.messages[id]?.from === member.name);
  const leadWorks = observe(state, team, LEAD_LANE).turn?.status === 'in_flight';
  // The operator must answer what a failed lead has not read.
  const leads = state.activations[team.activationId]?.brokenLanes[LEAD_LANE] === undefined;
  return (unread && leads) || leadWorks
    ? is('awaiting_lead', since, why)
    : is('awaiting_operator', since, why);
}

function waitingWhy(
  { messages, last }: TeamState,
  { name }: MemberState,
  { result, round }: RoundState,
): string {
  if (result !== null)
    return result.claim === 'blocked' ? `round ${round} is blocked` : `round ${round} is delivered`;
  const newest = messages[last.message];
  const key = teamKey.read(newest?.about ?? '');
  const silent = key?.[0] === 'team.silent-again' && key[1] === name;
  return silent ? `round ${round} ended without a result` : `it asked a question in round ${round}`;
}

/** Parked by the idle limit, not only temporarily. */
function isParked(state: PlatformState, team: TeamState, member: MemberState): boolean {
  const ids = state.activations[team.activationId]?.timerIds ?? [];
  const purpose = teamKey.text(idleKey(member));
  return ids.some((id) => state.timers[id]?.purpose === purpose && state.timers[id]?.fired === true);
}

/** The timer for the wait after a member's last round. */
export const idleKey = ({
  name,
  rounds,
}: Pick<MemberState, 'name' | 'rounds'>): Extract<TeamKey, readonly ['team.idle', ...unknown[]]> => [
  'team.idle',
  name,
  rounds.length,
];

/** A timer with this purpose parks a member unless its round is answered first. */
export const parksMember = ({ members }: TeamState, purpose: string): boolean =>
  Object.values(members).some((member) => !hasEnded(member) && teamKey.text(idleKey(member)) === purpose);

/** It still has to make a plan that the operator approves. Until then it works read-only. */
export const isPlanning = ({ planApproval, plan }: Pick<MemberState, 'planApproval' | 'plan'>): boolean =>
  planApproval && plan.status !== 'approved';

/**
 * A one-shot member that has finally delivered: messages to it are stored and wake nothing. A member that
 * reported itself blocked has asked for something, and the answer wakes it.
 */
export function hasReported({ iterative, rounds }: Pick<MemberState, 'iterative' | 'rounds'>): boolean {
  const result = rounds.at(-1)?.result ?? null;
  return !iterative && result !== null && result.claim !== 'blocked';
}

/** The task's owner has delivered a round that the operator has not accepted yet. */
export function awaitsAcceptance(
  { members }: Pick<TeamState, 'members'>,
  { owner, status }: Pick<TaskState, 'owner' | 'status'>,
): boolean {
  const member = ownValue(members, owner ?? '');
  if (status !== 'in_progress' || member?.iterative !== true || member.released !== null) return false;
  return !hasEnded(member) && member.rounds.at(-1)?.result != null;
}

/** It does nothing any more. */
export const hasEnded = (member: MemberState): boolean =>
  member.stopped !== null || member.failed !== null || member.merged !== null;

/** The members that prevent the team from ending, each with the reason. */
export const cleanupHeldBy = (
  state: PlatformState,
  team: TeamState,
): { readonly member: MemberState; readonly why: string }[] =>
  Object.values(team.members).flatMap((member) => {
    const why = holdsCleanup(member, memberStatus(state, team, member));
    return why === null ? [] : [{ member, why }];
  });

/** Why `team_cleanup` is refused because of this member; null if it is not (SPEC "Teams"). */
function holdsCleanup(member: MemberState, { word, provider }: MemberStatus): string | null {
  if (hasEnded(member)) return null;
  if (member.iterative) return `${member.name} is iterative and ${word.replaceAll('_', ' ')}`;
  if (provider !== undefined) return `${member.name} waits for its provider`;
  return ['starting', 'working', 'stopping', 'awaiting_permission'].includes(word)
    ? `${member.name} is ${word.replaceAll('_', ' ')}`
    : null;
}

/** Whether no working member is left. */
export function allFailed({ members }: Pick<TeamState, 'members'>): boolean {
  const all = Object.values(members);
  return all.length > 0 && all.every(({ failed }) => failed !== null);
}

/** The members whose merge is undecided or not made yet: until then an ending team continues. */
export const unmergedOf = ({ merges }: Pick<TeamState, 'merges'>): string[] =>
  Object.values(merges).flatMap(({ status, member }) =>
    ['requested', 'rehearsed', 'confirmed'].includes(status) ? [member] : [],
  );

/** A member's work is being saved, or its merge is being rehearsed or made: both end without the operator. */
export const keepsWork = ({ members, merges }: Pick<TeamState, 'members' | 'merges'>): boolean =>
  Object.values(members).some(({ freezing }) => freezing !== null) ||
  Object.values(merges).some(({ status }) => status === 'requested' || status === 'confirmed');
