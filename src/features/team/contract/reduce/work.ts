import type { OfType, Reducer, Reducers } from '@contract/run/event-table';
import type { TeamEvent } from '../events';
import type { MergeState, TaskState, TeamState } from '../state';
import { changeMember, inTeam, type Teams } from './change';

type TaskEvent = Extract<TeamEvent, { type: `team.task-${string}` }>;

const changingTask = <E extends TaskEvent>(change: (event: E) => Partial<TaskState>): Reducer<Teams, E> =>
  inTeam<E>((team, event) => {
    const task = team.tasks[event.taskId];
    if (task) team.tasks[task.id] = { ...task, ...change(event) };
  });

export const taskReducers: Reducers<Teams, TaskEvent> = {
  'team.task-added': inTeam((team, { taskId: id, content, priority, dependsOn, by }, at) => {
    team.last.task = Math.max(team.last.task, id);
    const open = dependsOn.some((other) => team.tasks[other]?.status !== 'completed');
    team.tasks[id] = {
      id,
      content,
      priority,
      dependsOn,
      by,
      at,
      status: open ? 'blocked' : 'pending',
      owner: null,
    };
  }),
  'team.task-claimed': changingTask(({ owner }) => ({ owner, status: 'in_progress' })),
  'team.task-freed': changingTask(() => ({ owner: null, status: 'pending' })),
  'team.task-completed': inTeam((team, { taskId }) => {
    const task = team.tasks[taskId];
    if (task) team.tasks[taskId] = { ...task, status: 'completed' };
    unblock(team);
  }),
};

function unblock(team: TeamState): void {
  for (const task of Object.values(team.tasks)) {
    if (task.status !== 'blocked') continue;
    if (task.dependsOn.every((id) => team.tasks[id]?.status === 'completed'))
      team.tasks[task.id] = { ...task, status: 'pending' };
  }
}

type MergeEvent = Extract<TeamEvent, { type: `team.merge${string}` }>;

/** Events of an unknown merge change nothing. */
const changingMerge = <E extends Exclude<MergeEvent, { type: 'team.merge-requested' }>>(
  change: (merge: MergeState, event: E) => Partial<MergeState>,
): Reducer<Teams, E> =>
  inTeam<E>((team, event) => {
    const merge = team.merges[event.mergeId];
    if (merge) team.merges[merge.id] = { ...merge, ...change(merge, event) };
  });

export const mergeReducers: Reducers<Teams, MergeEvent> = {
  'team.merge-requested': inTeam((team, { mergeId: id, member, by }) => {
    team.last.merge = Math.max(team.last.merge, id);
    const blank = { rehearsal: null, choices: {}, again: 0, error: null };
    team.merges[id] = { id, member, by, status: 'requested', ...blank };
  }),
  'team.merge-rehearsed': changingMerge(rehearsed),
  'team.merge-confirmed': changingMerge((_, { choices }) => ({ status: 'confirmed', choices })),
  'team.merge-declined': changingMerge(() => ({ status: 'declined' })),
  'team.merge-failed': changingMerge((_, { error }) => ({ status: 'failed', error })),
  'team.merged': inTeam((team, { mergeId, commit }, at) => {
    const merge = team.merges[mergeId];
    if (merge === undefined) return;
    team.merges[mergeId] = { ...merge, status: 'merged' };
    changeMember(team, merge.member, () => ({ merged: { at, commit } }));
  }),
};

function rehearsed(
  { again }: MergeState,
  event: OfType<TeamEvent, 'team.merge-rehearsed'>,
): Partial<MergeState> {
  const { type: _, activationId: __, mergeId: ___, ...rehearsal } = event;
  return {
    status: 'rehearsed',
    rehearsal,
    choices: {},
    error: null,
    again: again + (event.moved === undefined ? 0 : 1),
  };
}
