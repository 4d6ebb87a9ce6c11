import { appError } from '../../errors';
import { own, setOwn } from '../../own';
import { unreachable } from '../../result';
import { LEAD, OPERATOR } from '../../team/events';
import type { Delivery, MemberState, RoundState, TaskState, TeamMessage, TeamState } from '../../team/state';
import type { RunEvent, RunEventOf } from '../events';
import type { RunState } from '../state';

export type TeamEvent = Extract<RunEvent, { type: `team.${string}` }>;

/** The lane of a member; its name can hold everything that a lane's can. */
export const memberLane = (name: string): string => `member-${name}`;
export const LEAD_LANE = 'lead';

function teamOf(state: RunState, activationId: number): TeamState {
  state.teams[activationId] ??= {
    activationId,
    members: {},
    messages: {},
    tasks: {},
    merges: {},
    leadQueue: [],
    leadSent: 0,
    leadStalled: null,
    cleanedUp: null,
    last: { message: 0, task: 0, merge: 0 },
  };
  return state.teams[activationId];
}

export function applyTeam(state: RunState, event: TeamEvent, at: number): void {
  const team = teamOf(state, event.activationId);
  switch (event.type) {
    case 'team.member-added':
      setOwn(team.members, event.member.name, { ...blankMember, ...event.member, addedAt: at, by: event.by });
      return;
    case 'team.message':
    case 'team.message-edited':
    case 'team.message-withdrawn':
    case 'team.delivered':
    case 'team.seen':
      return applyMessage(team, event, at);
    case 'team.task-added':
    case 'team.task-claimed':
    case 'team.task-freed':
    case 'team.task-completed':
      return applyTask(team, event, at);
    case 'team.merge-requested':
    case 'team.merge-rehearsed':
    case 'team.merge-confirmed':
    case 'team.merge-declined':
    case 'team.merged':
    case 'team.merge-failed':
      return applyMerge(team, event, at);
    case 'team.cleaned-up':
      team.cleanedUp = { by: event.by, at };
      return;
    default:
      return applyMember(team, event, at);
  }
}

/** Of a member that has just joined. */
export const blankMember = {
  rounds: [],
  released: null,
  stopping: null,
  freezing: null,
  stopped: null,
  failed: null,
  merged: null,
  stalled: null,
  plan: { status: 'none' as const, text: '', reason: null },
  queue: [],
  sent: 0,
};

function changeMember(team: TeamState, name: string, change: (m: MemberState) => Partial<MemberState>): void {
  const member = own(team.members, name);
  if (member) setOwn(team.members, name, { ...member, ...change(member) });
}

/** The lane failed for good: the member did; the team goes on without it. */
export function memberFailed(state: RunState, event: RunEventOf<'lane.failed'>, at: number): void {
  const team = state.teams[event.activationId];
  for (const name of Object.keys(team?.members ?? {})) {
    if (team && memberLane(name) === event.lane)
      changeMember(team, name, () => ({ failed: { error: event.error, at }, stalled: null }));
  }
}

/** The operator takes a failed member up again. */
export function memberRestored(state: RunState, event: RunEventOf<'lane.restored'>): void {
  const team = state.teams[event.activationId];
  for (const name of Object.keys(team?.members ?? {})) {
    if (team && memberLane(name) === event.lane) changeMember(team, name, () => ({ failed: null }));
  }
}

/**
 * A step that failed with all of its members and is taken up again is cleaned up no more. A merge that a run did not wait
 * for when it was cancelled, as it once was, has no end: the operator is asked about it anew.
 */
export function teamResumed(state: RunState, activationId: number): void {
  const team = state.teams[activationId];
  if (team === undefined) return;
  if (allFailed(team)) team.cleanedUp = null;
  for (const merge of Object.values(team.merges)) {
    if (merge.status !== 'requested' && merge.status !== 'confirmed') continue;
    const error = appError('cancelled', 'The run was cancelled before it was done.');
    team.merges[merge.id] = { ...merge, status: 'failed', error };
  }
}

/** Whether nobody is left who could do anything. */
export function allFailed({ members }: Pick<TeamState, 'members'>): boolean {
  const all = Object.values(members);
  return all.length > 0 && all.every(({ failed }) => failed !== null);
}

type MemberEvent = Extract<
  TeamEvent,
  {
    type:
      | 'team.result'
      | 'team.released'
      | 'team.stopping'
      | 'team.freezing'
      | 'team.stopped'
      | 'team.stalled'
      | 'team.plan';
  }
>;

function applyMember(team: TeamState, event: MemberEvent, at: number): void {
  switch (event.type) {
    case 'team.result': {
      const { type: _, activationId: __, ...result } = event;
      const carried = own(team.members, event.member)?.rounds.at(-1)?.messageIds ?? [];
      changeMember(team, event.member, (member) => ({
        rounds: member.rounds.map((round) =>
          round.round === event.round ? { ...round, result, finishedAt: at } : round,
        ),
        stalled: null,
      }));
      return act(team, event.member, carried);
    }
    case 'team.released':
      return changeMember(team, event.member, () => ({ released: { how: event.how, by: event.by, at } }));
    case 'team.stopping':
      return changeMember(team, event.member, () => ({
        stopping: { by: event.by, force: event.force, at },
      }));
    case 'team.freezing':
      return changeMember(team, event.member, () => ({ freezing: { reason: event.reason, at } }));
    case 'team.stopped':
      return changeMember(team, event.member, () => ({
        stopped: { reason: event.reason, at, frozen: event.frozen },
        stopping: null,
        freezing: null,
        stalled: null,
      }));
    case 'team.stalled': {
      const stalled = event.why === null ? null : { since: at, why: event.why };
      if (event.member === LEAD) team.leadStalled = stalled;
      return changeMember(team, event.member, () => ({ stalled }));
    }
    case 'team.plan':
      return changeMember(team, event.member, () => ({
        plan: { status: event.status, text: event.plan, reason: event.reason },
      }));
    default:
      return unreachable(event);
  }
}

type MessageEvent = Extract<
  TeamEvent,
  {
    type: 'team.message' | 'team.message-edited' | 'team.message-withdrawn' | 'team.delivered' | 'team.seen';
  }
>;

function applyMessage(team: TeamState, event: MessageEvent, at: number): void {
  switch (event.type) {
    case 'team.message':
      return queueMessage(team, event, at);
    case 'team.message-edited': {
      const message = team.messages[event.messageId];
      if (message) team.messages[message.id] = { ...message, text: event.text, edited: true };
      return;
    }
    case 'team.message-withdrawn': {
      const message = team.messages[event.messageId];
      for (const to of Object.keys(message?.deliveries ?? {})) {
        if (own(message?.deliveries, to)?.state !== 'queued') continue;
        become(team, event.messageId, { to, state: 'withdrawn', at });
        unqueue(team, to, [event.messageId]);
      }
      return;
    }
    case 'team.delivered': {
      for (const id of event.messageIds)
        become(team, id, { to: event.to, state: 'delivered', turnId: event.turnId, at });
      unqueue(team, event.to, event.messageIds);
      if (event.to !== LEAD) deliverRound(team, event, at);
      return;
    }
    case 'team.seen':
      for (const id of event.messageIds) {
        become(team, id, { to: event.reader, state: 'seen', at });
      }
      return unqueue(team, event.reader, event.messageIds);
    default:
      return unreachable(event);
  }
}

function queueMessage(team: TeamState, event: RunEventOf<'team.message'>, at: number): void {
  const { messageId: id, from, kind, text } = event;
  team.last.message = Math.max(team.last.message, id);
  const deliveries: Record<string, Delivery> = {};
  for (const to of event.to) {
    // The operator reads in the window: nothing is queued there.
    const state = to === OPERATOR ? 'delivered' : 'queued';
    if (to === LEAD) {
      team.leadSent += 1;
      deliveries[to] = { to, seq: team.leadSent, state, turnId: null, at };
      team.leadQueue = [...team.leadQueue, id];
    } else if (to === OPERATOR) {
      deliveries[to] = { to, seq: id, state, turnId: null, at };
    } else if (own(team.members, to) !== undefined) {
      changeMember(team, to, (member) => {
        setOwn(deliveries, to, { to, seq: member.sent + 1, state, turnId: null, at });
        return { sent: member.sent + 1, queue: [...member.queue, id] };
      });
    }
  }
  const message: TeamMessage = {
    ...{ id, from, kind, text, at, deliveries },
    about: event.about ?? null,
    turnId: event.turnId ?? null,
    edited: false,
  };
  team.messages[id] = message;
}

/** The turn that carries messages begins a round, or goes on with the last one. */
function deliverRound(team: TeamState, event: RunEventOf<'team.delivered'>, at: number): void {
  changeMember(team, event.to, (member) => {
    const { round, turnId, final } = event;
    if (round === null) {
      const last = member.rounds.at(-1);
      if (last === undefined) return {};
      const more = {
        turnIds: [...last.turnIds, turnId],
        messageIds: [...last.messageIds, ...event.messageIds],
      };
      return { rounds: [...member.rounds.slice(0, -1), { ...last, ...more }] };
    }
    const begun: RoundState = {
      ...{ round, final, startedAt: at, turnIds: [turnId], messageIds: event.messageIds },
      result: null,
      finishedAt: null,
    };
    return { rounds: [...member.rounds, begun], stalled: null };
  });
}

/** A turn that is sent again belongs to the round of the one that it stands in for. */
export function turnResent(state: RunState, event: RunEventOf<'turn.dispatched'>): void {
  const team = state.teams[event.activationId];
  const { resendOf, turnId, lane } = event;
  for (const name of Object.keys(team?.members ?? {})) {
    if (!team || resendOf === null || memberLane(name) !== lane) continue;
    changeMember(team, name, (member) => ({
      rounds: member.rounds.map((round) =>
        round.turnIds.includes(resendOf) ? { ...round, turnIds: [...round.turnIds, turnId] } : round,
      ),
    }));
  }
}

interface Step {
  readonly to: string;
  readonly state: Delivery['state'];
  readonly turnId?: number;
  readonly at: number;
}

function become(team: TeamState, messageId: number, { to, state, turnId, at }: Step): void {
  const message = team.messages[messageId];
  const delivery = own(message?.deliveries, to);
  if (!message || !delivery) return;
  const next: Delivery = { ...delivery, state, at, turnId: turnId ?? delivery.turnId };
  team.messages[messageId] = { ...message, deliveries: { ...message.deliveries, [to]: next } };
}

function unqueue(team: TeamState, to: string, ids: readonly number[]): void {
  const left = (queue: readonly number[]) => queue.filter((id) => !ids.includes(id));
  if (to === LEAD) team.leadQueue = left(team.leadQueue);
  else changeMember(team, to, (member) => ({ queue: left(member.queue) }));
}

/** What came with a turn that has ended well was acted on. */
function act(team: TeamState, to: string, messageIds: readonly number[]): void {
  for (const id of messageIds) {
    const delivery = own(team.messages[id]?.deliveries, to);
    if (delivery?.state === 'delivered') become(team, id, { to, state: 'acted', at: delivery.at });
  }
}

type TaskEvent = Extract<TeamEvent, { type: `team.task-${string}` }>;

function applyTask(team: TeamState, event: TaskEvent, at: number): void {
  const id = event.taskId;
  const change = (next: Partial<TaskState>): void => {
    const task = team.tasks[id];
    if (task) team.tasks[id] = { ...task, ...next };
  };
  switch (event.type) {
    case 'team.task-added': {
      const { content, priority, dependsOn, by } = event;
      team.last.task = Math.max(team.last.task, id);
      const open = dependsOn.some((other) => team.tasks[other]?.status !== 'completed');
      team.tasks[id] = {
        ...{ id, content, priority, dependsOn, by, at },
        status: open ? 'blocked' : 'pending',
        owner: null,
      };
      return;
    }
    case 'team.task-claimed':
      return change({ owner: event.owner, status: 'in_progress' });
    case 'team.task-freed':
      return change({ owner: null, status: 'pending' });
    case 'team.task-completed':
      change({ status: 'completed' });
      return unblock(team);
    default:
      return unreachable(event);
  }
}

function unblock(team: TeamState): void {
  for (const task of Object.values(team.tasks)) {
    if (task.status !== 'blocked') continue;
    if (task.dependsOn.every((id) => team.tasks[id]?.status === 'completed'))
      team.tasks[task.id] = { ...task, status: 'pending' };
  }
}

type MergeEvent = Extract<TeamEvent, { type: `team.merge${string}` }>;

function applyMerge(team: TeamState, event: MergeEvent, at: number): void {
  const { mergeId: id } = event;
  const merge = team.merges[id];
  if (event.type === 'team.merge-requested') {
    team.last.merge = Math.max(team.last.merge, id);
    const { member, by } = event;
    const blank = { rehearsal: null, choices: {}, again: 0, error: null };
    team.merges[id] = { id, member, by, status: 'requested', ...blank };
    return;
  }
  if (merge === undefined) return;
  switch (event.type) {
    case 'team.merge-rehearsed': {
      const { type: _, activationId: __, mergeId: ___, ...rehearsal } = event;
      const again = merge.again + (event.moved === undefined ? 0 : 1);
      team.merges[id] = { ...merge, status: 'rehearsed', rehearsal, choices: {}, again, error: null };
      return;
    }
    case 'team.merge-confirmed':
      team.merges[id] = { ...merge, status: 'confirmed', choices: event.choices };
      return;
    case 'team.merge-declined':
      team.merges[id] = { ...merge, status: 'declined' };
      return;
    case 'team.merge-failed':
      team.merges[id] = { ...merge, status: 'failed', error: event.error };
      return;
    case 'team.merged':
      team.merges[id] = { ...merge, status: 'merged' };
      return changeMember(team, merge.member, () => ({ merged: { at, commit: event.commit } }));
    default:
      return unreachable(event);
  }
}
