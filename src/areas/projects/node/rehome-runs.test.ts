import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { RunEvent } from '@contract/run/events';
import { runStarted, storedEvents } from '@contract/run/testing/events';
import { unchecked } from '@contract/testing/unchecked';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { rehome } from './rehome-runs';

const uid = '01M80FVJAKAKZTKEZHTKEYGW0A';
let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'muster-rehome-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const taken = (events: readonly object[]) =>
  rehome(storedEvents(events.map((event) => unchecked<RunEvent>(event))), {
    artifactsRoot: join(folder, 'artifacts'),
    worktreesDir: join(folder, 'worktrees'),
  }).map(({ event }) => event);

const started = runStarted({ uid, artifactsDir: `/data/artifacts/${uid}` });

/** Where a session works, and looks, if its history says that it did so there. */
function worksIn(path: string, run: Record<string, unknown> = {}) {
  const [, workspace, other, session] = taken([
    { ...started, ...run },
    { type: 'run.workspace-ready', path },
    { type: 'workspace.ready', workspaceId: 1, path },
    { type: 'session.ready', cwd: path },
  ]);
  const at = session?.type === 'session.ready' ? session.cwd : '';
  expect([workspace, other]).toMatchObject([{ path: at }, { path: at }]);
  return { at, artifactsDir: join(folder, 'artifacts', uid) };
}

test.each([
  '/',
  '/etc',
  '/home/me/.ssh',
  '/project/../etc',
  'relative',
  '/data/worktrees/other-zzzzzzzz/src',
  '/data/worktrees/test-eygw0a/src',
  '/data/worktrees/test-tkeygw0a/../../../etc',
])('an imported session does not work in %s, which Muster did not make for the run', (path) => {
  const { at, artifactsDir } = worksIn(path);
  expect(at).toBe(join(artifactsDir, 'elsewhere', basename(path)));
});

test('a worktree of another machine becomes the one that Muster makes for the run here', () => {
  const here = (folders: string) => join(folder, 'worktrees', folders);
  expect(worksIn('/data/worktrees/test-tkeygw0a').at).toBe(here('test-tkeygw0a'));
  expect(worksIn('/data/worktrees/test-tkeygw0a-b-2/src').at).toBe(here('test-tkeygw0a-b-2/src'));
  expect(worksIn('C:\\data\\worktrees\\test-tkeygw0a\\src').at).toBe(here('test-tkeygw0a/src'));
});

test('a worktree folder that is a link to elsewhere is not worked in', () => {
  mkdirSync(join(folder, 'worktrees', 'test-tkeygw0a'), { recursive: true });
  symlinkSync('/etc', join(folder, 'worktrees', 'test-tkeygw0a', 'src'));
  const { at, artifactsDir } = worksIn('/data/worktrees/test-tkeygw0a/src');
  expect(at).toBe(join(artifactsDir, 'elsewhere', 'src'));
});

test("only a run in the operator's checkout keeps a folder below its project", () => {
  const project = join(folder, 'project');
  mkdirSync(join(project, 'src'), { recursive: true });
  symlinkSync('/etc', join(project, 'link'));
  const run = { projectPath: project, workspaceMode: 'project' };
  expect(worksIn(project, run).at).toBe(project);
  expect(worksIn(join(project, 'src'), run).at).toBe(join(project, 'src'));
  expect(worksIn(join(project, 'link'), run).at).toMatch(/elsewhere/);
  expect(worksIn(join(project, 'src'), { ...run, workspaceMode: 'worktree' }).at).toMatch(/elsewhere/);
});

test("the output of a loop's check is read from the folder of the run only", () => {
  const end = { how: 'answered', turnId: null, error: null } as const;
  const check = {
    command: 'x',
    outcome: 'exited',
    exitCode: 0,
    output: '',
    outputPath: '/etc/passwd',
  } as const;
  const [, ended] = taken([
    started,
    { type: 'loop.attempt-ended', activationId: 1, attemptId: 1, end: { ...end, check } },
  ]);
  const outputPath = join(folder, 'artifacts', uid, 'elsewhere', 'passwd');
  expect(ended).toMatchObject({ end: { check: { outputPath } } });
});
