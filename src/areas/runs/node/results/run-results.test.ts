import type { Rehearsal } from '@areas/changes/contract/merge';
import { err, ok, type Result } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import { reduce } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { runStarted, stateAfter } from '@contract/run/testing/events';
import { double } from '@contract/testing/double';
import type { ApplyToMake, ApplyToUndo, Undoable } from '@main/core/ports/workspaces/apply-port';
import type { ReleasedFolder } from '@main/core/ports/workspaces/workspace-edits';
import { expect, test } from 'vitest';
import { RunResults } from './run-results';

const left: ReleasedFolder = {
  made: 'muster/w',
  path: '/w',
  branch: 'muster/w',
  commit: 'c1',
  base: 'b',
  files: 2,
  uncommitted: 1,
  includedIn: [],
  note: null,
  unread: null,
  unsettled: null,
};

const COMMIT = { commit: 'c1', author: 'A', subject: 'work' };

class World {
  readonly events: RunEvent[] = [];
  readonly asked: string[] = [];
  readonly made: ApplyToMake[] = [];
  readonly undone: ApplyToUndo[] = [];
  undo: Result<Undoable> = ok({ at: 'applied', files: 2 });
  /** The operator has staged some of the same changes. */
  staged = false;
  conflicts: Rehearsal['conflicts'] = [];
  target = 'main';
  reattached: 'ok' | 'conflict' = 'ok';
  /** What is there of the run's folders. */
  left: ReleasedFolder[] = [left];
  /** What dies here. */
  dies: 'merge' | 'undo' | null = null;
  state: RunState;

  constructor() {
    this.state = stateAfter([runStarted({ name: 'Fix it', projectPath: '/p' })]);
    this.add({ type: 'run.workspace-ready', path: '/w', branch: 'muster/w', baseCommit: 'b' });
    this.add({ type: 'run.finished', outcome: 'succeeded', reason: null });
    this.events.length = 0;
  }

  add(event: RunEvent): void {
    this.events.push(event);
    this.state = reduce(this.state, { seq: this.state.seq + 1, at: 2, event });
  }

  service(): RunResults {
    const refused = { code: 'conflict' as const, message: 'checked out elsewhere' };
    return new RunResults({
      state: () => this.state,
      logger: { warn: () => undefined },
      store: { runByUid: () => null },
      engine: {
        command: async (_, make) => {
          const events = make(double<Parameters<typeof make>[0]>({ state: this.state }));
          if (!events.ok) return events;
          for (const event of events.value) this.add(event);
          return ok(undefined);
        },
      },
      workspaces: {
        release: async (_run, _made, ended) => {
          this.asked.push('release');
          return ok(ended() ? this.left : null);
        },
        reattach: async () => {
          this.asked.push('reattach');
          return this.reattached === 'ok' ? ok(undefined) : { ok: false, error: refused };
        },
        worktrees: async () => [],
        revive: async () => ok([]),
        isInCheckout: async () => false,
      },
      merges: {
        rehearse: async ({ commit }) =>
          ok({ target: this.target, targetCommit: 't1', files: 2, conflicts: this.conflicts, commit }),
        outlook: async () =>
          ok({ inTheWay: ['b.txt'], staged: this.staged, commits: [COMMIT], commitCount: 1 }),
        apply: async (wanted) => {
          this.made.push(wanted);
          if (this.dies === 'merge') throw new Error('killed');
          const after = wanted.how === 'files' ? 't1' : 'm1';
          const change = { how: wanted.how, branch: 'refs/heads/main', before: 't1', after, tree: 'tree' };
          return ok({ kind: 'made', commit: wanted.how === 'files' ? null : 'm1', change, staged: false });
        },
        undoable: async () => this.undo,
        undo: async (wanted) => {
          this.undone.push(wanted);
          if (this.dies === 'undo') throw new Error('killed');
          return this.undo;
        },
      },
    });
  }

  get types(): string[] {
    return this.events.map(({ type }) => type);
  }
}

const wish = { runId: 1, by: 'test' };

test('A result is applied once: its event comes before the checkout changes, and asked again it says so', async () => {
  const world = new World();
  expect(await world.service().apply(wish)).toMatchObject({
    value: { kind: 'applied', commit: 'm1', target: 'main', files: 2 },
  });
  expect(world.types).toEqual(['run.released', 'run.apply-requested', 'run.applied']);
  expect(await world.service().apply(wish)).toMatchObject({ value: { kind: 'already', commit: 'm1' } });
  expect(world.made).toHaveLength(1);
});

test('Two callers who apply at the same time apply once', async () => {
  const world = new World();
  const service = world.service();
  const both = await Promise.all([service.apply(wish), service.apply(wish)]);
  expect(both.map((one) => one.ok && one.value.kind)).toEqual(['applied', 'already']);
  expect(world.made).toHaveLength(1);
});

test('An apply that a kill cut off is looked for where it was begun, and not made twice', async () => {
  const world = new World();
  world.dies = 'merge';
  await expect(world.service().apply(wish)).rejects.toThrow('killed');
  world.dies = null;
  expect(world.state.applying).toMatchObject({ targetCommit: 't1' });
  expect(await world.service().apply(wish)).toMatchObject({ value: { kind: 'applied' } });
  const [first, second] = world.made;
  expect([second?.id, second?.rehearsed]).toEqual([first?.id, first?.rehearsed]);
  expect(world.types.filter((type) => type === 'run.apply-requested')).toHaveLength(1);
});

test('A conflict names the files and is no event', async () => {
  const world = new World();
  world.conflicts = [{ path: 'a.txt', base: null, ours: '', theirs: '', shown: 'whole' }];
  expect(await world.service().apply(wish)).toMatchObject({
    error: { code: 'conflict', message: 'Nothing was applied: this file conflicts with main: a.txt.' },
  });
  expect([world.types, world.made]).toEqual([['run.released'], []]);
});

test('A run that cannot have its branch back does not go on', async () => {
  const world = new World();
  world.reattached = 'conflict';
  let went = false;
  const gone = await world.service().goingOn(1, async () => {
    went = true;
    return ok({});
  });
  expect([gone, went]).toMatchObject([{ error: { code: 'conflict' } }, false]);
});

test('A run that was not taken up after all has its branches freed again', async () => {
  const world = new World();
  const service = world.service();
  await service.release(1);
  const refused = { ok: false as const, error: { code: 'run.not_resumable' as const, message: 'no' } };
  expect(await service.goingOn(1, async () => refused)).toEqual(refused);
  expect(world.asked).toEqual(['release', 'reattach', 'release']);
  expect(world.types).toEqual(['run.released']);
});

test('The results of a run that goes on again are forgotten', async () => {
  const world = new World();
  await world.service().release(1);
  expect(world.state.results).toHaveLength(1);
  world.add({ type: 'run.resumed', by: 'test', activationIds: [] });
  expect(world.state.results).toBeNull();
  expect(await world.service().apply(wish)).toMatchObject({
    error: { message: 'The run is still running.' },
  });
});

test('a run whose folders are not on this machine is not said to have changed no files', async () => {
  const world = new World();
  world.left = [];
  expect(await world.service().apply({ runId: 1, by: 't' })).toMatchObject({
    error: { message: expect.stringMatching(/not on this machine, or its project is no longer in \/.+\.$/) },
  });
});

test('A preview has the conflicts, the files in the way, the commits and a message of name and instruction', async () => {
  const world = new World();
  expect(await world.service().preview({ runId: 1 })).toEqual(
    ok({
      shown: 'c1:t1:main',
      target: 'main',
      files: 2,
      conflicts: [],
      inTheWay: ['b.txt'],
      commits: [COMMIT],
      commitCount: 1,
      message: expect.stringMatching(/^Fix it[\s\S]*From muster\/w of Muster's run 1\.$/),
    }),
  );
  world.conflicts = [{ path: 'a.txt', base: null, ours: '', theirs: '', shown: 'whole' }];
  expect(await world.service().preview({ runId: 1 })).toMatchObject({
    value: { shown: null, conflicts: ['a.txt'] },
  });
  expect(world.types).toEqual(['run.released']);
});

test('A message and a way that the operator chose are those of the commit', async () => {
  const world = new World();
  const chosen = { ...wish, how: 'keep' as const, message: 'Fix the login' };
  expect(await world.service().apply(chosen)).toMatchObject({ value: { kind: 'applied', how: 'keep' } });
  expect(world.made).toMatchObject([{ how: 'keep', message: 'Fix the login' }]);
  expect(world.state.applied).toMatchObject([{ commit: 'm1', change: { how: 'keep', before: 't1' } }]);
});

test('Files that are only staged are an applied result without a commit', async () => {
  const world = new World();
  expect(await world.service().apply({ ...wish, how: 'files' })).toMatchObject({
    value: { kind: 'applied', how: 'files', commit: null, files: 2, result: { state: 'applied' } },
  });
});

test('An applied result is undone once, and is then one to apply again', async () => {
  const world = new World();
  const service = world.service();
  await service.apply(wish);
  expect(await service.undoable({ runId: 1 })).toEqual(ok({ target: 'main', files: 2, refusal: null }));
  world.events.length = 0;
  expect(await service.undo(wish)).toEqual(ok({ kind: 'undone', target: 'main', files: 2 }));
  expect(world.types).toEqual(['run.undo-requested', 'run.undone']);
  expect(world.undone).toMatchObject([{ change: { before: 't1', after: 'm1' } }]);
  expect(await service.undo(wish)).toMatchObject({ error: { code: 'not_found' } });
  expect(await service.results(1)).toMatchObject({ value: [{ state: 'to_apply' }] });
});

test('An undo that was killed is asked for again, and one that is refused leaves the result applied', async () => {
  const world = new World();
  const service = world.service();
  await service.apply(wish);
  world.dies = 'undo';
  await expect(service.undo(wish)).rejects.toThrow('killed');
  expect([world.state.undoing, world.state.applied.length]).toMatchObject([{ result: 'c1' }, 1]);
  world.dies = null;
  const refused = { code: 'conflict' as const, message: 'moved on' };
  world.undo = err(refused);
  expect(await service.undo(wish)).toEqual(err(refused));
  expect(await service.undoable({ runId: 1 })).toMatchObject({ value: { refusal: refused } });
  expect([world.state.undoing, world.state.applied.length]).toEqual([null, 1]);
  world.undo = ok({ at: 'undone', files: 2 });
  expect(await service.undo(wish)).toMatchObject({ value: { kind: 'already' } });
  expect(world.state.applied).toEqual([]);
});

test('Where the operator had staged the same changes, the result is applied and no undo is offered', async () => {
  const world = new World();
  world.staged = true;
  world.dies = 'merge';
  await expect(world.service().apply(wish)).rejects.toThrow('killed');
  // After the kill the staged files could be Muster's own.
  world.dies = null;
  world.staged = false;
  expect(await world.service().apply(wish)).toMatchObject({ value: { kind: 'applied' } });
  expect(await world.service().undo(wish)).toMatchObject({
    error: { code: 'conflict', message: expect.stringContaining('cannot undo this') },
  });
  expect(world.undone).toEqual([]);
});
