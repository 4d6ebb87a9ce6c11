import type { Rehearsal } from '@areas/changes/contract/merge';
import { ok } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import { reduce } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { runStarted, stateAfter } from '@contract/run/testing/events';
import { double } from '@contract/testing/double';
import type { MergeToMake } from '@main/core/ports/workspaces/merges';
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

class World {
  readonly events: RunEvent[] = [];
  readonly asked: string[] = [];
  readonly made: MergeToMake[] = [];
  conflicts: Rehearsal['conflicts'] = [];
  target = 'main';
  reattached: 'ok' | 'conflict' = 'ok';
  /** What is there of the run's folders. */
  left: ReleasedFolder[] = [left];
  /** What dies here. */
  dies: 'merge' | null = null;
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
        changes: async () => ok({ root: '', files: [], from: '', to: '' }),
        merge: async (wanted) => {
          this.made.push(wanted);
          if (this.dies === 'merge') throw new Error('killed');
          return ok({ kind: 'made', commit: 'm1' });
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
