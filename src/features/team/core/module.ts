import type { RunState } from '@contract/run/state';
import { defineModule, NO_EFFECT } from '@main/core/engine/feature-module';
import type { TeamEvent } from '../contract/events';
import type { MergeState } from '../contract/state';
import { toolsInTeam } from './agents';
import { brokenFreeze, freezeMember } from './effects/freeze';
import { failedMerge, makeMerge, rehearseMerge } from './effects/merges';
import { teamTools } from './tools';

/** Members whose folder is being saved. */
const freezing = ({ teams }: RunState) =>
  Object.values(teams).flatMap(({ activationId, members }) =>
    Object.values(members).flatMap(({ name: member, freezing: now }) =>
      now === null ? [] : [{ type: 'team.freezing' as const, activationId, member, reason: now.reason }],
    ),
  );

interface Merging {
  readonly activationId: number;
  readonly merge: MergeState;
}

const mergesIn = ({ teams }: RunState, status: MergeState['status']): Merging[] =>
  Object.values(teams).flatMap(({ activationId, merges }) =>
    Object.values(merges).flatMap((merge) => (merge.status === status ? [{ activationId, merge }] : [])),
  );

/** The engine module of teams. */
export const teamModule = defineModule<TeamEvent>({
  effects: {
    'team.member-added': NO_EFFECT,
    'team.message': NO_EFFECT,
    'team.message-edited': NO_EFFECT,
    'team.message-withdrawn': NO_EFFECT,
    'team.delivered': NO_EFFECT,
    'team.seen': NO_EFFECT,
    'team.result': NO_EFFECT,
    'team.released': NO_EFFECT,
    'team.stopping': NO_EFFECT,
    'team.freezing': { begin: freezeMember, broken: brokenFreeze, open: freezing },
    'team.stopped': NO_EFFECT,
    'team.stalled': NO_EFFECT,
    'team.plan': NO_EFFECT,
    'team.merge-requested': {
      begin: rehearseMerge,
      broken: (_, event, error) => failedMerge(event, error),
      open: (state) =>
        mergesIn(state, 'requested').map(({ activationId, merge: { id: mergeId, member, by } }) => ({
          type: 'team.merge-requested',
          activationId,
          mergeId,
          member,
          by,
        })),
    },
    'team.merge-rehearsed': NO_EFFECT,
    'team.merge-confirmed': {
      begin: makeMerge,
      broken: (_, event, error) => failedMerge(event, error),
      open: (state) =>
        mergesIn(state, 'confirmed').map(({ activationId, merge: { id: mergeId, choices, by } }) => ({
          type: 'team.merge-confirmed',
          activationId,
          mergeId,
          choices,
          by,
        })),
    },
    'team.merge-declined': NO_EFFECT,
    'team.merged': NO_EFFECT,
    'team.merge-failed': NO_EFFECT,
    'team.task-added': NO_EFFECT,
    'team.task-claimed': NO_EFFECT,
    'team.task-freed': NO_EFFECT,
    'team.task-completed': NO_EFFECT,
    'team.cleaned-up': NO_EFFECT,
  },
  tools: teamTools,
  toolsOf: toolsInTeam,
});
