import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { CheckoutMoves } from '../moves';
import { commitAll, git, Kit, must, uid, write } from '../testing/kit';

let kit: Kit;
const own = `fix-it-${uid.slice(-8).toLowerCase()}`;
const folder = `${own}-code-1`;
const branch = `muster/${folder}`;
const unfinished = { unfinished: [branch], teardown: null };

/** A filter of the project that kills git and its parent git in the middle of a checkout. */
const DIES = 'kill -9 $(ps -o ppid= -p $PPID) $PPID; cat';

beforeEach(() => {
  kit = new Kit();
  kit.init('a.txt', 'b.txt');
  write(kit.project, '.gitattributes', 'b.txt filter=f\n');
  commitAll(kit.project);
});

const filter = (smudge: string) => git(kit.project, 'config', 'filter.f.smudge', smudge);

/** The state after core and git were killed together. */
function cutOff(): string {
  const root = join(kit.worktreesDir, folder);
  filter(DIES);
  spawnSync('git', ['worktree', 'add', '-b', branch, root, 'main'], { cwd: kit.project });
  filter('cat');
  expect(git(kit.project, 'worktree', 'list', '--porcelain')).toContain('locked initializing');
  expect(existsSync(join(root, '.git'))).toBe(true);
  return root;
}

const left = () => ({
  folders: readdirSync(kit.worktreesDir),
  worktrees: git(kit.project, 'worktree', 'list').split('\n').length - 1,
  branches: git(kit.project, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/muster').split('\n'),
});

test('a worktree whose git is killed while it is made leaves neither folder nor branch', async () => {
  const run = kit.run();
  const { path: from } = must(await kit.port().prepare(run));
  filter(DIES);
  expect(await kit.port().branch(run, { key: 'code-1', from })).toMatchObject({
    ok: false,
    error: { code: 'workspace.failed', message: expect.stringContaining('SIGKILL') },
  });
  expect(left()).toEqual({ folders: [own], worktrees: 1, branches: [`muster/${own}`] });
});

test('a worktree that was cut off is made again in its place, without a copy beside it', async () => {
  const run = kit.run();
  const { path: from } = must(await kit.port().prepare(run));
  const root = cutOff();
  const made = must(await kit.port().branch(run, { key: 'code-1', from }));
  expect(made).toMatchObject({ path: root, branch });
  expect(left()).toEqual({ folders: [own, folder], worktrees: 2, branches: [`muster/${own}`, branch] });
  expect(git(root, 'status', '--porcelain')).toBe('');
});

test('a worktree that was cut off before it had its link is made again in its place', async () => {
  const run = kit.run();
  const { path: from } = must(await kit.port().prepare(run));
  truncateSync(join(cutOff(), '.git'));
  must(await kit.port().branch(run, { key: 'code-1', from }));
  expect(readdirSync(kit.worktreesDir)).toEqual([own, folder]);
});

test('a worktree is not touched while the git of a killed core still makes it', async () => {
  const run = kit.run();
  const { path: from } = must(await kit.port().prepare(run));
  const root = cutOff();
  let looks = 0;
  const isMarked = async (id: string) => {
    looks += 1;
    expect(id).toBe(`worktree-${folder}`);
    // What the other git does meanwhile.
    if (looks === 1) {
      git(kit.project, 'worktree', 'remove', '--force', '--force', root);
      git(kit.project, 'worktree', 'add', '-q', root, branch);
      write(root, 'made-once.txt', '');
    }
    return looks < 2;
  };
  const moves = new CheckoutMoves({ dir: join(kit.root, 'moves'), isMarked });
  must(await kit.port({ moves }).branch(run, { key: 'code-1', from }));
  expect(existsSync(join(root, 'made-once.txt'))).toBe(true);
});

test('a worktree that was cut off and never asked for again is found and removed', async () => {
  must(await kit.port().prepare(kit.run()));
  const root = cutOff();
  expect(await kit.port().worktrees()).toContainEqual({ root, uid: null, made: branch, holdsBranch: true });
  const cleared = must(await kit.port().clear(kit.run(), { branches: [branch], ...unfinished }));
  expect(cleared).toMatchObject({ worktrees: [root], branches: [{ name: branch }], notes: [] });
  expect(left()).toEqual({ folders: [own], worktrees: 1, branches: [`muster/${own}`] });
});

test('a run that is deleted takes along a worktree that was cut off, also one without a folder', async () => {
  const { path } = must(await kit.port().prepare(kit.run()));
  git(kit.project, 'worktree', 'remove', '--force', path);
  cutOff();
  expect(must(await kit.port().remove(kit.run(), unfinished))).toEqual({ notes: [], kept: [] });
  expect(left()).toMatchObject({ folders: [], worktrees: 0 });
  git(kit.project, 'branch', '-D', branch);
  const root = cutOff();
  spawnSync('rm', ['-rf', root]);
  must(await kit.port().remove(kit.run(), unfinished));
  expect(left()).toMatchObject({ folders: [], worktrees: 0 });
});

/** Git's administrative folder of the worktree. */
const commonDir = () => join(kit.project, '.git', 'worktrees', folder, 'commondir');

test('a repository that a killed git left unusable is repaired at the next look at the worktrees', async () => {
  const { path } = must(await kit.port().prepare(kit.run()));
  const root = cutOff();
  truncateSync(commonDir());
  expect(() => git(kit.project, 'worktree', 'list')).toThrow('commondir');
  expect((await kit.port().worktrees()).map((one) => one.root)).toEqual([path, root]);
  expect(git(kit.project, 'worktree', 'list').split('\n')).toHaveLength(3);
});

test('a git that is killed before it could name its repository does not keep other worktrees from being made', async () => {
  const run = kit.run();
  const { path: from } = must(await kit.port().prepare(run));
  filter(`: > '${commonDir()}'; ${DIES}`);
  expect(await kit.port().branch(run, { key: 'code-1', from })).toMatchObject({ ok: false });
  expect(left()).toEqual({ folders: [own], worktrees: 1, branches: [`muster/${own}`] });
  cutOff();
  truncateSync(commonDir());
  expect(await kit.port().branch(run, { key: 'code-2', from })).toMatchObject({ ok: true });
});

test('a worktree with a mark is not taken for one that was cut off', async () => {
  const run = kit.run();
  const { path: from } = must(await kit.port().prepare(run));
  const { path } = must(await kit.port().branch(run, { key: 'code-1', from }));
  write(path, 'open.txt', 'not committed');
  const cleared = must(await kit.port().clear(run, { branches: [branch], ...unfinished }));
  expect(cleared.worktrees).toEqual([path]);
  expect(git(kit.project, 'show', `refs/muster/${uid}/last-${folder}:open.txt`)).toBe('not committed');
});
