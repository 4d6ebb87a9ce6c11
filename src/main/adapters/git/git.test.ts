import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { shortName } from '../../core/ports/workspaces/workspace-names';
import { hereBy } from './command/run-git';
import { GitWorkspaces } from './index';
import { movesBelow } from './testing/kit';

let root = '';
let project = '';

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

function commit(folder: string, file: string): string {
  mkdirSync(join(folder, file, '..'), { recursive: true });
  writeFileSync(join(folder, file), file);
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', file);
  return git(folder, 'rev-parse', 'HEAD');
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'muster-git-')));
  project = join(root, 'project');
  mkdirSync(project);
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
});

const uid = '01JD0000000000000ABCDEFGHJ';
const runScript = () => Promise.reject(new Error('no script is to run here'));
const workspaces = () =>
  new GitWorkspaces({ worktreesDir: join(root, 'worktrees'), runScript, moves: movesBelow(root) });
const run = (more = {}) => ({
  uid,
  name: 'Étude: write a Thing!',
  mode: 'worktree' as const,
  projectPath: project,
  artifactsDir: join(root, 'artifacts'),
  copy: [],
  setup: null,
  ...more,
});
const path = () =>
  join(root, 'worktrees', 'etude-write-a-thing-cdefghj'.replace('cdefghj', uid.slice(-8).toLowerCase()));
const branch = () => `muster/etude-write-a-thing-${uid.slice(-8).toLowerCase()}`;

describe('a worktree', () => {
  beforeEach(() => {
    git(project, 'init', '-q', '-b', 'main');
  });

  test('a worktree is made on a branch of the run, without the hooks of the operator', async () => {
    const head = commit(project, 'a.txt');
    writeFileSync(join(project, '.git/hooks/post-checkout'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const prepared = await workspaces().prepare(run());
    const value = { path: path(), branch: branch(), baseCommit: head, notes: [] };
    expect(prepared).toEqual({ ok: true, value });
    expect(readFileSync(join(path(), 'a.txt'), 'utf8')).toBe('a.txt');
    expect(git(path(), 'branch', '--show-current')).toBe(branch());
    expect(await workspaces().head(path())).toBe(head);
  });

  test('a branch muster of the operator leads to another group of branches, in which a worktree is found again', async () => {
    commit(project, 'a.txt');
    git(project, 'branch', 'muster');
    const other = branch().replace('muster/', 'muster-runs/');
    expect(await workspaces().prepare(run())).toMatchObject({ ok: true, value: { branch: other } });
    commit(path(), 'c.txt');
    git(project, 'branch', '-D', 'muster');
    rmSync(path(), { recursive: true });
    expect(await workspaces().prepare(run())).toMatchObject({ ok: true, value: { branch: other } });
    expect(existsSync(join(path(), 'c.txt'))).toBe(true);
  });

  test('branches of both names are refused, with the command that renames one', async () => {
    commit(project, 'a.txt');
    git(project, 'branch', 'muster');
    git(project, 'branch', 'muster-runs');
    expect(await workspaces().prepare(run())).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('git branch -m muster NEW_NAME') },
    });
  });

  test('a worktree is found again after a crash, with the same base, whatever was committed since', async () => {
    const head = commit(project, 'a.txt');
    const first = await workspaces().prepare(run());
    commit(project, 'b.txt');
    commit(path(), 'c.txt');
    expect(await workspaces().prepare(run())).toEqual(first);
    expect(first).toMatchObject({ value: { baseCommit: head } });
    expect(existsSync(join(path(), 'c.txt'))).toBe(true);
  });

  test('a worktree that was deleted by hand is made again with its commits', async () => {
    commit(project, 'a.txt');
    const first = await workspaces().prepare(run());
    commit(path(), 'c.txt');
    rmSync(path(), { recursive: true });
    expect(await workspaces().prepare(run())).toEqual(first);
    expect(existsSync(join(path(), 'c.txt'))).toBe(true);
  });

  test('a worktree is made again where its making was cut off, and nothing is deleted', async () => {
    commit(project, 'a.txt');
    await workspaces().prepare(run());
    const entry = join(project, '.git', 'worktrees');
    const [name] = execFileSync('ls', [entry], { encoding: 'utf8' }).split('\n');
    writeFileSync(join(entry, name ?? '', 'locked'), 'initializing');
    rmSync(join(path(), '.git'));
    expect(await workspaces().prepare(run())).toMatchObject({ ok: true, value: { path: path() } });
    expect(git(path(), 'status', '--short')).toBe('');
    expect(existsSync(join(`${path()}.aside-1`, 'a.txt'))).toBe(true);
  });

  test('a worktree leads to the folder of a project that lies inside its repository', async () => {
    commit(project, 'packages/one/a.txt');
    const prepared = await workspaces().prepare(run({ projectPath: join(project, 'packages/one') }));
    expect(prepared).toMatchObject({ ok: true, value: { path: join(path(), 'packages/one') } });
  });

  test('a worktree is made for many runs of one repository at the same time', async () => {
    commit(project, 'a.txt');
    const port = workspaces();
    const all = await Promise.all(
      ['A', 'B', 'C', 'D'].map((letter) => port.prepare(run({ uid: uid.replace(/.$/, letter) }))),
    );
    expect(all.map((one) => one.ok)).toEqual([true, true, true, true]);
  });

  test('a worktree cannot be made of a repository without commits', async () => {
    expect(await workspaces().prepare(run())).toMatchObject({
      ok: false,
      error: { code: 'workspace.failed', mend: expect.stringContaining('git commit') },
    });
  });

  test('a worktree cannot be made where a file stands in the way', async () => {
    commit(project, 'a.txt');
    writeFileSync(join(root, 'worktrees'), '');
    expect(await workspaces().prepare(run())).toMatchObject({
      ok: false,
      error: { code: 'workspace.failed' },
    });
  });
});

describe('other workspaces', () => {
  test('a workspace in a project that is no repository is refused with what to do', async () => {
    expect(await workspaces().prepare(run())).toMatchObject({
      ok: false,
      error: {
        code: 'project.not_a_repository',
        where: { file: project },
        mend: expect.stringMatching(/git init .*workspace: folder/),
      },
    });
    expect(await workspaces().head(project)).toBeNull();
  });

  test('a repository above GIT_CEILING_DIRECTORIES is not that of a project', async () => {
    git(root, 'init', '-q', '-b', 'main');
    vi.stubEnv('GIT_CEILING_DIRECTORIES', root);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await workspaces().prepare(run())).toMatchObject({ error: { code: 'project.not_a_repository' } });
  });

  test('a workspace is refused with what to do where git is missing', async () => {
    const port = new GitWorkspaces({
      worktreesDir: join(root, 'worktrees'),
      runScript,
      moves: movesBelow(root),
      git: hereBy('/no/such/git'),
    });
    expect(await port.prepare(run())).toMatchObject({ ok: false, error: { code: 'workspace.failed' } });
  });

  test('a run works in the project itself, repository or not, or in a plain folder, and is refused where the project is gone', async () => {
    const value = { path: project, branch: null, baseCommit: null };
    expect(await workspaces().prepare(run({ mode: 'project' }))).toEqual({ ok: true, value });
    const folder = await workspaces().prepare(run({ mode: 'folder' }));
    const workspace = join(root, 'artifacts', 'workspace');
    expect(folder).toEqual({ ok: true, value: { path: workspace, branch: null, baseCommit: null } });
    expect(existsSync(workspace)).toBe(true);
    expect(await workspaces().prepare(run({ projectPath: join(root, 'gone') }))).toMatchObject({
      ok: false,
      error: { code: 'project.not_a_folder' },
    });
  });
});

test.each([
  ['Étude: write a Thing!', 'etude-write-a-thing'],
  ['../../etc', 'etc'],
  ['ночь', 'run'],
  ['a very long name that goes on and on', 'a-very-long-name-that-go'],
])('a run named %s gets a short name for its branch', (name, short) => {
  expect(shortName(name)).toBe(short);
});

test('a git that does not end is ended, and no one waits for it any longer', async () => {
  const tool = join(root, 'hanging-git');
  writeFileSync(tool, '#!/bin/sh\nexec sleep 3600\n', { mode: 0o755 });
  const port = new GitWorkspaces({
    worktreesDir: join(root, 'worktrees'),
    runScript,
    moves: movesBelow(root),
    git: hereBy(tool, 100),
  });
  const made = await port.prepare(run());
  expect(made).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(/did not end within 1 min/) },
  });
});
