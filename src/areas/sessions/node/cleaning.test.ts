import { ok } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import type { ShownResult } from '@contract/run/results/results';
import type { RunState } from '@contract/run/state';
import { runStarted, stateAfter, workflow } from '@contract/run/testing/events';
import { double } from '@contract/testing/double';
import type { KnownWorktree, ToClear } from '@main/core/ports/workspaces/workspace-edits';
import { expect, test } from 'vitest';
import { Cleaning, type CleaningParts } from './cleaning';

const uid = '01JD0000000000000ABCDEFGHJ';
const row = { id: 7 } as ReturnType<CleaningParts['store']['runByUid']>;

/** A run whose step requested two folders: the first failed, the second was created. */
function stateWith(...last: readonly RunEvent[]): RunState {
  return stateAfter([
    runStarted({ uid, name: 'Fix it', projectPath: '/p', definition: workflow([{ id: 'crew' }]) }),
    { type: 'run.workspace-ready', path: '/w/own', branch: 'muster/fix-it-bcdefghj', baseCommit: 'b' },
    { type: 'activation.started', activationId: 1, stepId: 'crew', attempt: 1, inputs: [] },
    { type: 'workspace.requested', workspaceId: 1, activationId: 1, lane: 'member-S1', from: null },
    { type: 'workspace.failed', workspaceId: 1, error: { code: 'workspace.failed', message: 'killed' } },
    { type: 'workspace.requested', workspaceId: 2, activationId: 1, lane: 'member-S1', from: null },
    { type: 'workspace.ready', workspaceId: 2, path: '/w/2', branch: BRANCHES.ready, baseCommit: 'b' },
    ...last,
  ]);
}

const BRANCHES = {
  failed: 'muster/fix-it-bcdefghj-crew-1-member-S1',
  ready: 'muster/fix-it-bcdefghj-crew-2-member-S1',
};
const ended = { type: 'run.finished', outcome: 'succeeded', reason: null } as const;
const worktree = (made: string, more: Partial<KnownWorktree> = {}): KnownWorktree => ({
  root: `/w/${made.split('/')[1]}`,
  uid: null,
  made,
  holdsBranch: true,
  ...more,
});

function cleaning(
  state: RunState,
  worktrees: readonly KnownWorktree[],
  results: readonly ShownResult[] = [],
) {
  const cleared: ToClear[] = [];
  const service = new Cleaning({
    store: {
      runByUid: (asked) => (asked === uid ? row : null),
      runByUidEnd: (end) => (end === 'bcdefghj' ? row : null),
    },
    workspaces: {
      worktrees: async () => worktrees,
      clear: async (_, what) => {
        cleared.push(what);
        return ok({ worktrees: [], branches: [], notes: [] });
      },
    },
    results: { results: async () => ok([...results]) },
    state: () => state,
  });
  return { service, cleared };
}

test('a worktree that was never made ready is listed with its run, though it bears no mark', async () => {
  const { service, cleared } = cleaning(stateWith(ended), [worktree(BRANCHES.failed)]);
  expect(await service.leftovers(undefined)).toMatchObject({
    value: { leftovers: [{ runId: 7, branch: BRANCHES.failed, state: 'unfinished' }], unknown: [] },
  });
  await service.clean({ unapplied: false });
  expect(cleared).toEqual([{ branches: [BRANCHES.failed], unfinished: [BRANCHES.failed], teardown: null }]);
});

test('a worktree that was marked before its making failed is listed as unfinished too', async () => {
  const { service } = cleaning(stateWith(ended), [worktree(BRANCHES.failed, { uid })]);
  expect(await service.leftovers(7)).toMatchObject({ value: { leftovers: [{ state: 'unfinished' }] } });
});

test('an unfinished worktree of a run that goes on is left alone', async () => {
  const { service } = cleaning(stateWith(), [worktree(BRANCHES.failed)]);
  expect(await service.leftovers(undefined)).toEqual({ ok: true, value: { leftovers: [], unknown: [] } });
});

test('a worktree that cannot be read is listed with its run, and never removed', async () => {
  const unread = { code: 'workspace.unreadable' as const, message: '.git is missing' };
  const lost = double<ShownResult>({
    workspaceId: 2,
    branch: BRANCHES.ready,
    files: 0,
    state: 'unreadable',
    unread,
  });
  const { service, cleared } = cleaning(stateWith(ended), [worktree(BRANCHES.ready)], [lost]);
  expect(await service.leftovers(undefined)).toMatchObject({
    value: { leftovers: [{ branch: BRANCHES.ready, state: 'unreadable' }], unknown: [] },
  });
  expect(await service.clean({ unapplied: true })).toMatchObject({
    value: { kept: [{ state: 'unreadable' }] },
  });
  expect(cleared).toEqual([]);
});

test('a worktree that was moved aside or has no run is named and left alone', async () => {
  const all = [worktree(`${BRANCHES.failed}.aside-1`), worktree('muster/other-00000000')];
  const { service, cleared } = cleaning(stateWith(ended), all);
  const unknown = all.map(({ root }) => root);
  expect(await service.leftovers(undefined)).toEqual({ ok: true, value: { leftovers: [], unknown } });
  await service.clean({ unapplied: true });
  expect(cleared).toEqual([]);
});
