import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordedChanges } from '@areas/changes/node/recorded-changes';
import { ok, type Result } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import { reduce } from '@contract/run/reduce';
import { runStarted, stateAfter, workflow } from '@contract/run/testing/events';
import { double } from '@contract/testing/double';
import { GitWorkspaces } from '@main/adapters/git';
import { GitMerges } from '@main/adapters/git/merge/merge';
import { CheckoutMoves } from '@main/adapters/git/moves';
import type { LiveRun } from '@main/core/engine/base/live-run';
import { runOf } from '@main/core/engine/effects/workspace-effects';
import type { Engine } from '@main/core/engine/engine';
import { MemoryTextFiles } from '@main/core/engine/testing/memory-texts';
import { expect, onTestFinished, test } from 'vitest';
import { WorkspaceService } from './workspace-service';

const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

/** A run whose folder has a change, and a second folder that was branched from it afterwards. */
async function branched() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'muster-branched-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = join(root, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'a.txt'), 'one\ntwo\nthree\n');
  const inGit = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], { cwd: project });
  inGit('init', '-q');
  inGit('add', '-A');
  inGit('commit', '-qm', 'a');
  const moves = new CheckoutMoves({ dir: join(root, 'moves') });
  const git = new GitWorkspaces({
    worktreesDir: join(root, 'worktrees'),
    moves,
    runScript: () => Promise.reject(new Error('nothing is to be run')),
  });
  const artifactsDir = join(root, 'artifacts');
  const definition = workflow([{ id: 'a' }]);
  const state = stateAfter([
    runStarted({ uid: 'U1', name: 'U1', projectPath: project, artifactsDir, definition }),
  ]);
  const add = (...events: object[]): void => {
    for (const event of events) reduce(state, { seq: state.seq + 1, at: 1, event: event as RunEvent });
  };
  const made = must(await git.prepare(runOf(state)));
  const session = { profileId: 'w', model: null, mode: null, env: {} };
  add(
    { type: 'run.workspace-ready', ...made },
    { type: 'activation.started', activationId: 1, stepId: 'a', attempt: 1, inputs: [] },
    { type: 'session.starting', sessionId: 1, activationId: 1, ...session },
  );
  writeFileSync(join(made.path, 'a.txt'), 'one\ntwo changed\nthree\n');
  const copy = must(await git.branch(runOf(state), { key: 'b', from: made.path }));
  add(
    { type: 'workspace.requested', workspaceId: 1, activationId: 1, lane: null, from: null },
    { type: 'workspace.ready', workspaceId: 1, ...copy },
  );
  const engine: Pick<Engine, 'all' | 'command'> = {
    all: () => [double<LiveRun>({ state })],
    command: async (_, make) => {
      const events = make(double<LiveRun>({ state }));
      if (events.ok) add(...events.value);
      return events.ok ? ok(undefined) : events;
    },
  };
  const service = new WorkspaceService({
    engine,
    workspaces: git,
    merges: new GitMerges(moves),
    state: () => state,
    changes: new RecordedChanges({
      engine,
      workspaces: git,
      textFiles: new MemoryTextFiles(),
      state: () => state,
    }),
    results: { toApply: () => Promise.reject(new Error('none')), reread: async () => ok(undefined) },
  });
  const takeBack = async () => {
    const of = { kind: 'workspace', sessionId: 1 } as const;
    const [file] = must(await service.diff({ runId: 1, of })).files;
    const hunk = { path: file?.path ?? '', hunk: file?.hunks[0]?.id ?? '' };
    return must(await service.reject({ runId: 1, sessionId: 1, turnId: null, ...hunk }));
  };
  const text = (folder: string) => readFileSync(join(folder, 'a.txt'), 'utf8');
  return { made, copy, takeBack, text };
}

test('taking back lines in a folder names the branches that were made from it before and still have them', async () => {
  const { made, copy, takeBack, text } = await branched();
  expect(text(copy.path)).toContain('two changed');
  expect((await takeBack()).still).toEqual([copy.branch]);
  expect([text(made.path), text(copy.path)]).toEqual(['one\ntwo\nthree\n', 'one\ntwo changed\nthree\n']);
});

test('a branched folder in which the lines are gone already is not named', async () => {
  const { copy, takeBack } = await branched();
  writeFileSync(join(copy.path, 'a.txt'), 'one\ntwo\nthree\nfour\n');
  expect((await takeBack()).still).toBeUndefined();
});
