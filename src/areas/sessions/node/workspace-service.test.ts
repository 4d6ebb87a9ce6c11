import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { turnSnapshot } from '@areas/changes/contract/changes';
import type { DiffScope } from '@areas/changes/contract/diff-scope';
import { RecordedChanges } from '@areas/changes/node/recorded-changes';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import { reduce } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { runStarted, stateAfter, workflow } from '@contract/run/testing/events';
import { double } from '@contract/testing/double';
import { GitWorkspaces } from '@main/adapters/git';
import { GitMerges } from '@main/adapters/git/merge/merge';
import { CheckoutMoves } from '@main/adapters/git/moves';
import type { LiveRun } from '@main/core/engine/base/live-run';
import { runOf } from '@main/core/engine/effects/workspace-effects';
import type { Engine } from '@main/core/engine/engine';
import { MemoryTextFiles } from '@main/core/engine/testing/memory-texts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cut, ended, starting, turn } from './testing/turn-events';
import { WorkspaceService } from './workspace-service';

let root: string;
let states: Map<number, RunState>;
let committed: RunEvent[];
let full: boolean;
let git: GitWorkspaces;
let service: WorkspaceService;
let folder: string;

const stateOf = (runId = 1): RunState => {
  const state = states.get(runId);
  if (state === undefined) throw new Error('no state');
  return state;
};
const add = (...events: object[]): void => {
  const state = stateOf();
  for (const event of events) reduce(state, { seq: state.seq + 1, at: 1, event: event as RunEvent });
};
const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
const text = (file: string) => readFileSync(join(folder, file), 'utf8');

const snap = async (turnId: number, moment: 'before' | 'after') => {
  const place = { path: folder, run: runOf(stateOf()) };
  const taken = await git.snapshot(place, turnSnapshot('U1', turnId, moment));
  if (!taken.ok) throw new Error(taken.error.message);
};
/** A turn that writes a file. */
const work = async (turnId: number, file: string, sessionId = 1) => {
  await snap(turnId, 'before');
  add(turn(turnId, sessionId));
  write(file, `turn ${turnId}\n`);
};
const finish = async (turnId: number) => {
  await snap(turnId, 'after');
  add(ended(turnId));
};
const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
const diff = async (of: DiffScope) => must(await service.diff({ runId: 1, of }));
const files = async (of: DiffScope) => (await diff(of)).files.map(({ path }) => path);
const one = { runId: 1, sessionId: 1, turnId: 1 };
const first = async (of: DiffScope = { kind: 'turn', turnId: 1 }) => {
  const file = (await diff(of)).files[0];
  return { path: file?.path ?? '', hunk: file?.hunks[0]?.id ?? '' };
};

function startRun(uid: string, projectPath: string): RunState {
  const artifactsDir = join(root, 'artifacts', uid);
  const definition = workflow([{ id: 'a' }]);
  return stateAfter([runStarted({ uid, name: uid, projectPath, artifactsDir, definition })]);
}

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'muster-folders-')));
  const project = join(root, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'a.txt'), 'a\n');
  const run = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], { cwd: project });
  run('init', '-q');
  run('add', '-A');
  run('commit', '-qm', 'a');
  git = new GitWorkspaces({
    worktreesDir: join(root, 'worktrees'),
    moves: new CheckoutMoves({ dir: join(root, 'moves') }),
    runScript: () => Promise.reject(new Error('nothing is to be run')),
  });
  states = new Map([[1, startRun('U1', project)]]);
  const made = must(await git.prepare(runOf(stateOf())));
  folder = made.path;
  add(
    { type: 'run.workspace-ready', ...made },
    { type: 'activation.started', activationId: 1, stepId: 'a', attempt: 1, inputs: [] },
    starting(1),
    starting(2),
  );
  committed = [];
  full = false;
  const engine: Pick<Engine, 'all' | 'command'> = {
    all: () => [...states.values()].map((state) => double<LiveRun>({ state })),
    command: async (runId, make) => {
      const events = make(double<LiveRun>({ state: stateOf(runId) }));
      if (!events.ok) return events;
      if (full) return err(appError('store.disk_full', 'the disk is full'));
      committed.push(...events.value);
      add(...events.value);
      return ok(undefined);
    },
  };
  const state = (runId: number) => states.get(runId) ?? null;
  service = new WorkspaceService({
    engine,
    workspaces: git,
    merges: new GitMerges(new CheckoutMoves({ dir: join(root, 'moves') })),
    state,
    changes: new RecordedChanges({ engine, workspaces: git, textFiles: new MemoryTextFiles(), state }),
    results: {
      toApply: () => Promise.reject(new Error('no run ends here')),
      reread: async () => ok(undefined),
    },
  });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the marks of a review', () => {
  test('a viewed mark is stored once, holds in every diff of the file, and goes when the file changes', async () => {
    await work(1, 'one.txt');
    await finish(1);
    const contentIn = async (of: DiffScope) => (await diff(of)).files[0]?.content ?? '';
    const content = await contentIn({ kind: 'turn', turnId: 1 });
    expect(await contentIn({ kind: 'workspace', sessionId: 1 })).toBe(content);
    const viewed = () => must(service.marks({ runId: 1 })).viewed;
    must(await service.view({ runId: 1, files: [content], viewed: true }));
    must(await service.view({ runId: 1, files: [content], viewed: true }));
    expect(committed).toEqual([{ type: 'files.viewed', files: [content], viewed: true, by: 'operator' }]);
    expect(viewed()).toEqual([content]);
    write('one.txt', 'changed after it was viewed\n');
    expect(viewed()).not.toContain(await contentIn({ kind: 'workspace', sessionId: 1 }));
    must(await service.view({ runId: 1, files: [content], viewed: false }));
    expect(viewed()).toEqual([]);
  });

  test('a diff says what its hunks are taken back with, and a file of it can be read and searched', async () => {
    await work(1, 'one.txt');
    await finish(1);
    const turn = { kind: 'turn', turnId: 1 } as const;
    expect(await diff(turn)).toMatchObject({ edits: { sessionId: 1, turnId: 1 } });
    expect(must(await service.file({ runId: 1, of: turn, path: 'one.txt', as: 'text' }))).toMatchObject({
      old: null,
      fresh: { text: 'turn 1\n' },
    });
    expect(must(await service.search({ runId: 1, of: turn, text: 'TURN' }))).toMatchObject({
      matches: [{ path: 'one.txt', kind: 'added', line: 1 }],
      total: 1,
    });
    rmSync(folder, { recursive: true });
    expect(await diff(turn)).toMatchObject({ edits: null });
  });

  test('a whole file is taken back in the diff of its session, and put back', async () => {
    write('a.txt', 'before the session\n');
    await work(1, 'a.txt');
    await finish(1);
    const place = { runId: 1, sessionId: 1, turnId: null, path: 'a.txt', hunk: 'file' };
    const { undo } = must(await service.reject(place));
    expect(text('a.txt')).toBe('before the session\n');
    must(await service.undo({ runId: 1, sessionId: 1, undo }));
    expect(text('a.txt')).toBe('turn 1\n');
  });
});

describe('a diff', () => {
  test('a diff of a turn lies between its snapshots, of a turn in flight until now', async () => {
    await work(1, 'one.txt');
    expect(await diff({ kind: 'turn', turnId: 1 })).toMatchObject({ live: true, path: folder, file: null });
    await finish(1);
    await work(2, 'two.txt');
    expect(await diff({ kind: 'turn', turnId: 1 })).toMatchObject({
      live: false,
      branch: 'muster/u1-u1',
      files: [{ path: 'one.txt', status: 'added', hunks: [{ lines: ['+turn 1'] }] }],
    });
    expect(await files({ kind: 'turn', turnId: 2 })).toEqual(['two.txt']);
  });

  test('a diff of a session lies between its first turn and its last, of its workspace from the beginning to now', async () => {
    await work(1, 'one.txt', 2);
    await finish(1);
    await work(2, 'two.txt');
    await finish(2);
    await work(3, 'three.txt');
    await finish(3);
    write('operator.txt', 'me');
    expect(await files({ kind: 'session', sessionId: 1 })).toEqual(['three.txt', 'two.txt']);
    expect(await files({ kind: 'workspace', sessionId: 1 })).toEqual([
      'one.txt',
      'operator.txt',
      'three.txt',
      'two.txt',
    ]);
    expect(await diff({ kind: 'workspace', sessionId: 1 })).toMatchObject({ live: true });
  });

  test('a diff of an interrupted turn ends now, or where the next turn in its folder began', async () => {
    await work(1, 'one.txt');
    add(cut(1));
    write('half.txt', 'half');
    expect(await diff({ kind: 'turn', turnId: 1 })).toMatchObject({ live: true });
    expect(await files({ kind: 'session', sessionId: 1 })).toEqual(['half.txt', 'one.txt']);
    await work(2, 'two.txt', 2);
    await finish(2);
    expect(await files({ kind: 'turn', turnId: 1 })).toEqual(['half.txt', 'one.txt']);
    expect(await diff({ kind: 'turn', turnId: 1 })).toMatchObject({ live: false });
  });

  test('a diff is of the folder that the session works in', async () => {
    const run = runOf(stateOf());
    const made = must(await git.branch(run, { key: 'b-1', from: folder }));
    add(
      { type: 'workspace.requested', workspaceId: 1, activationId: 1, lane: null, from: null },
      { type: 'workspace.ready', workspaceId: 1, ...made },
      starting(3, { workspaceId: 1 }),
    );
    folder = made.path;
    await work(1, 'one.txt', 3);
    await finish(1);
    const view = { path: made.path, branch: made.branch, files: [{ path: 'one.txt' }] };
    expect(await diff({ kind: 'turn', turnId: 1 })).toMatchObject(view);
    expect(await diff({ kind: 'workspace', sessionId: 3 })).toMatchObject(view);
    expect(await files({ kind: 'workspace', sessionId: 1 })).toEqual([]);
  });

  test('a diff of an unknown turn is not found', async () => {
    add(turn(1), ended(1));
    const asked: [DiffScope, RegExp][] = [
      [{ kind: 'turn', turnId: 1 }, /beginning.*U1\/t1-before/],
      [{ kind: 'turn', turnId: 9 }, /no turn 9/],
      [{ kind: 'session', sessionId: 9 }, /no session 9/],
      [{ kind: 'session', sessionId: 2 }, /no turn yet/],
    ];
    for (const [of, message] of asked) {
      const found = await service.diff({ runId: 1, of });
      expect(found).toMatchObject({
        ok: false,
        error: { code: 'not_found', message: expect.stringMatching(message) },
      });
    }
    expect(await service.diff({ runId: 7, of: { kind: 'turn', turnId: 1 } })).toMatchObject({ ok: false });
  });
});

describe('a hunk', () => {
  test('a hunk is accepted, and not any more, without a change to any file', async () => {
    await work(1, 'one.txt');
    await finish(1);
    const hunk = await first();
    expect(await service.accept({ ...one, ...hunk, accepted: true })).toEqual({ ok: true, value: {} });
    expect(stateOf().hunks).toEqual({ [`1/1/${hunk.path}/${hunk.hunk}`]: 'accepted' });
    await service.accept({ ...one, ...hunk, accepted: false });
    expect(stateOf().hunks).toEqual({});
    expect(text('one.txt')).toBe('turn 1\n');
    expect(await service.accept({ ...one, ...hunk, sessionId: 2, accepted: true })).toMatchObject({
      ok: false,
    });
    expect(await service.accept({ ...one, ...hunk, sessionId: 9, accepted: true })).toMatchObject({
      ok: false,
    });
  });

  test('a hunk is taken back in the folder and marked, and undo brings it back', async () => {
    await work(1, 'a.txt');
    await finish(1);
    const hunk = await first();
    const { undo } = must(await service.reject({ ...one, ...hunk }));
    expect(text('a.txt')).toBe('a\n');
    expect(committed).toEqual([
      { type: 'hunk.marked', ...hunk, sessionId: 1, turnId: 1, mark: 'rejected', by: 'operator' },
    ]);
    must(await service.restore({ runId: 1, sessionId: 1, snapshot: undo }));
    expect(text('a.txt')).toBe('turn 1\n');
  });

  test('a hunk of a session, or of its workspace, is found without a turn', async () => {
    write('before.txt', 'operator\n');
    await work(1, 'a.txt');
    await finish(1);
    const ofSession = await first({ kind: 'session', sessionId: 1 });
    must(await service.reject({ ...one, turnId: null, ...ofSession }));
    expect(text('a.txt')).toBe('a\n');
    const ofWorkspace = await first({ kind: 'workspace', sessionId: 1 });
    expect(ofWorkspace.path).toBe('before.txt');
    must(await service.reject({ ...one, turnId: null, ...ofWorkspace }));
    expect(await files({ kind: 'workspace', sessionId: 1 })).toEqual([]);
  });

  test('a hunk is not taken back while an agent works in its folder, also one of another run', async () => {
    await work(1, 'a.txt');
    await finish(1);
    const hunk = await first();
    await work(2, 'two.txt', 2);
    for (const refused of [
      await service.reject({ ...one, ...hunk }),
      await service.restore({ runId: 1, sessionId: 1, snapshot: 'U1/t1-before' }),
    ])
      expect(refused).toMatchObject({
        ok: false,
        error: { code: 'conflict', message: expect.stringMatching(/turn 2/) },
      });
    await finish(2);
    const other = startRun('U2', join(root, 'project'));
    states.set(2, other);
    for (const event of [starting(1), turn(7)]) reduce(other, { seq: other.seq + 1, at: 1, event });
    other.workspace = { path: folder, branch: null, baseCommit: null };
    expect(await service.reject({ ...one, ...hunk })).toMatchObject({
      error: { code: 'conflict', message: expect.stringMatching(/turn 7 of the run U2/) },
    });
    states.delete(2);
    expect(text('a.txt')).toBe('turn 1\n');
    expect(committed).toEqual([]);
    must(await service.reject({ ...one, ...hunk }));
  });

  test('a hunk is put back alone, and the later work of the operator stays', async () => {
    await work(1, 'a.txt');
    await finish(1);
    const { undo } = must(await service.reject({ ...one, ...(await first()) }));
    write('later.txt', 'operator\n');
    must(await service.undo({ runId: 1, sessionId: 1, undo }));
    expect([text('a.txt'), text('later.txt')]).toEqual(['turn 1\n', 'operator\n']);
    expect(await service.undo({ runId: 1, sessionId: 1, undo })).toMatchObject({
      error: { code: 'conflict' },
    });
  });

  test('a hunk is neither taken back nor put back while a command of a step runs in its folder', async () => {
    await work(1, 'a.txt');
    await finish(1);
    const hunk = await first();
    const { undo } = must(await service.reject({ ...one, ...hunk }));
    add({
      type: 'command.started',
      commandId: 4,
      activationId: 1,
      script: 'make',
      terminal: false,
      env: {},
      timeoutSeconds: null,
    });
    for (const refused of [
      await service.reject({ ...one, ...hunk }),
      await service.undo({ runId: 1, sessionId: 1, undo }),
      await service.restore({ runId: 1, sessionId: 1, snapshot: undo }),
    ])
      expect(refused).toMatchObject({
        ok: false,
        error: { code: 'conflict', message: expect.stringMatching(/command 4/) },
      });
    expect(text('a.txt')).toBe('a\n');
  });

  test('a hunk that was taken back without its mark says so, and how to go back', async () => {
    await work(1, 'a.txt');
    await finish(1);
    full = true;
    const rejected = await service.reject({ ...one, ...(await first()) });
    expect(rejected).toMatchObject({
      ok: false,
      error: { code: 'store.disk_full', mend: expect.stringMatching(/U1\/undo-/) },
    });
    expect(text('a.txt')).toBe('a\n');
  });

  test('a hunk that no longer applies is refused and not marked', async () => {
    await work(1, 'a.txt');
    await finish(1);
    const hunk = await first();
    write('a.txt', 'other\n');
    expect(await service.reject({ ...one, ...hunk })).toMatchObject({
      ok: false,
      error: { code: 'conflict' },
    });
    expect([text('a.txt'), committed]).toEqual(['other\n', []]);
  });
});
