import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { MadeWorkspace } from '../../../core/ports/workspaces/workspaces';
import type { GitWorkspaces } from '../index';
import { commitAll, git, Kit, must, removing, write } from '../testing/kit';

let kit: Kit;
let port: GitWorkspaces;
const yes = () => true;

beforeEach(() => {
  kit = new Kit();
  kit.init('a.txt');
  port = kit.port();
});

async function released(...made: MadeWorkspace[]) {
  return must(await port.release(kit.run(), made, yes)) ?? [];
}
const branches = (...made: MadeWorkspace[]) => made.flatMap(({ branch }) => branch ?? []);
const headOf = (folder: string) => git(folder, 'rev-parse', '--abbrev-ref', 'HEAD');

test('An ended run leaves its branch free, with what no one committed on it', async () => {
  const own = must(await port.prepare(kit.run()));
  write(own.path, 'new.txt', 'made');
  write(own.path, 'a.txt', 'changed');
  const [left] = await released(own);
  expect(left).toMatchObject({ branch: own.branch, files: 2, uncommitted: 2, note: null, includedIn: [] });
  const [branch = ''] = branches(own);
  expect(git(kit.project, 'rev-parse', branch)).toBe(left?.commit);
  expect(git(own.path, 'status', '--porcelain')).toBe('');
  expect(headOf(own.path)).toBe('HEAD');
  git(kit.project, 'checkout', '-q', branch);
  expect(readFileSync(join(kit.project, 'new.txt'), 'utf8')).toBe('made');
  git(kit.project, 'checkout', '-q', 'main');
  git(kit.project, 'worktree', 'add', '-q', join(kit.root, 'mine'), branch);
});

test('A run that goes on finds its branch and its uncommitted files as they were', async () => {
  const own = must(await port.prepare(kit.run()));
  const head = git(own.path, 'rev-parse', 'HEAD');
  write(own.path, 'new.txt', 'made');
  const [left] = await released(own);
  expect(await released(own)).toEqual([left]);
  must(await port.reattach(kit.run(), branches(own)));
  expect([headOf(own.path), git(own.path, 'rev-parse', 'HEAD')]).toEqual([own.branch, head]);
  expect(git(own.path, 'status', '--porcelain')).toBe('?? new.txt');
  must(await port.reattach(kit.run(), branches(own)));
  expect(git(own.path, 'status', '--porcelain')).toBe('?? new.txt');
});

test('A release that a kill cut off after its first step is done to its end', async () => {
  const own = must(await port.prepare(kit.run()));
  const [branch = ''] = branches(own);
  const head = git(own.path, 'rev-parse', 'HEAD');
  write(own.path, 'new.txt', 'made');
  const [left] = await released(own);
  // As before the branch was moved and the index was read.
  git(kit.project, 'update-ref', `refs/heads/${branch}`, head);
  git(own.path, 'read-tree', head);
  expect(await released(own)).toEqual([left]);
  expect(git(kit.project, 'rev-parse', branch)).toBe(left?.commit);
  must(await port.reattach(kit.run(), branches(own)));
  expect([headOf(own.path), git(own.path, 'rev-parse', 'HEAD')]).toEqual([own.branch, head]);
});

test('A worktree whose link was removed cannot be read, and is repaired when the run goes on', async () => {
  const own = must(await port.prepare(kit.run()));
  write(own.path, 'new.txt', 'made\n');
  write(own.path, 'b/ü.txt', 'made\n');
  write(own.path, 'a.txt', 'changed\n');
  rmSync(join(own.path, '.git'));
  const place = { path: own.path, run: kit.run() };
  const unread = {
    code: 'workspace.unreadable',
    message: `The workspace cannot be read: .git is missing (${own.path}).`,
    mend: expect.stringContaining('git worktree repair'),
  };
  expect(await port.readable(place)).toMatchObject({ error: unread });
  expect(await port.snapshot(place, `01JD/t1-after`)).toMatchObject({ error: unread });
  const named = `${unread.message} 3 files there differ from its last known commit: a.txt, b/ü.txt, new.txt.`;
  expect(await released(own)).toMatchObject([
    { branch: own.branch, files: 0, unread: { ...unread, message: named } },
  ]);
  expect(git(kit.project, 'status', '--porcelain')).toBe('');
  expect(must(await port.revive(kit.run(), branches(own)))).toEqual([own.branch]);
  expect(await released(own)).toMatchObject([{ branch: own.branch, files: 3, unread: null }]);
});

test('A folder with a repository of its own in the place of the link cannot be read, and is left alone', async () => {
  const own = must(await port.prepare(kit.run()));
  rmSync(join(own.path, '.git'));
  git(own.path, 'init', '-q');
  const unread = { code: 'workspace.unreadable', message: expect.stringContaining('another repository') };
  expect(await port.readable({ path: own.path, run: kit.run() })).toMatchObject({ error: unread });
  expect(await port.revive(kit.run(), branches(own))).toMatchObject({ ok: false, error: unread });
  expect(await released(own)).toMatchObject([{ unread }]);
});

test('Of a folder that was deleted by hand the commits and the last snapshot are the result, and nothing else is claimed', async () => {
  const own = must(await port.prepare(kit.run()));
  rmSync(own.path, { recursive: true });
  const gone = { code: 'not_found', message: expect.stringContaining('the folder is gone') };
  expect(await released(own)).toMatchObject([{ files: 0, unread: gone }]);
  must(await port.revive(kit.run(), branches(own)));
  write(own.path, 'seen.txt', 'seen\n');
  must(await port.snapshot({ path: own.path, run: kit.run() }, `${kit.run().uid}/t1-after`));
  rmSync(own.path, { recursive: true });
  const [left] = await released(own);
  expect(left).toMatchObject({ branch: null, files: 1, unread: gone });
  expect(git(kit.project, 'show', `${left?.commit}:seen.txt`)).toBe('seen');
  must(await port.revive(kit.run(), branches(own)));
  git(own.path, 'switch', '-qc', 'ralph/work');
  write(own.path, 'work.txt', 'work\n');
  const commit = commitAll(own.path);
  rmSync(own.path, { recursive: true });
  expect(await released(own)).toMatchObject([{ branch: 'ralph/work', commit, files: 2, unread: gone }]);
});

test('What the operator takes back after the end is in no commit of the branch, and the run can still go on', async () => {
  const own = must(await port.prepare(kit.run()));
  const head = git(own.path, 'rev-parse', 'HEAD');
  write(own.path, 'new.txt', 'made\n');
  write(own.path, 'a.txt', 'not wanted\n');
  await released(own);
  write(own.path, 'a.txt', 'a.txt\n');
  const [left] = await released(own);
  expect(left).toMatchObject({ branch: own.branch, files: 1, uncommitted: 1 });
  const [branch = ''] = branches(own);
  expect(git(kit.project, 'rev-parse', branch)).toBe(left?.commit);
  expect(git(kit.project, 'rev-parse', `${branch}^`)).toBe(head);
  expect(git(kit.project, 'diff', '--name-only', head, branch)).toBe('new.txt');
  expect(await released(own)).toEqual([left]);
  rmSync(join(own.path, 'new.txt'));
  expect(await released(own)).toMatchObject([{ commit: head, files: 0, uncommitted: 0 }]);
  expect(git(kit.project, 'rev-parse', branch)).toBe(head);
  write(own.path, 'later.txt', 'later\n');
  await released(own);
  must(await port.reattach(kit.run(), branches(own)));
  expect([headOf(own.path), git(own.path, 'rev-parse', 'HEAD')]).toEqual([own.branch, head]);
  expect(git(own.path, 'status', '--porcelain')).toBe('?? later.txt');
});

test('A folder in which the operator went on after the end stays as it is, and its state is the result', async () => {
  const own = must(await port.prepare(kit.run()));
  write(own.path, 'new.txt', 'made\n');
  await released(own);
  git(own.path, 'switch', '-qc', 'mine');
  write(own.path, 'mine.txt', 'mine\n');
  const commit = commitAll(own.path);
  expect(await released(own)).toMatchObject([{ branch: 'mine', commit, files: 2 }]);
  expect(headOf(own.path)).toBe('mine');
  write(own.path, 'open.txt', 'open\n');
  const [left] = await released(own);
  expect(left).toMatchObject({ branch: null, files: 3, uncommitted: 1 });
  expect([headOf(own.path), git(own.path, 'status', '--porcelain')]).toEqual(['mine', '?? open.txt']);
  expect(git(kit.project, 'show', `${left?.commit}:open.txt`)).toBe('open');
});

test('A worker that went to a branch of its own is named with it, and that branch is free too', async () => {
  const own = must(await port.prepare(kit.run()));
  git(own.path, 'checkout', '-qb', 'ralph/feature');
  write(own.path, 'b.txt', 'b');
  const commit = commitAll(own.path);
  expect(await released(own)).toMatchObject([{ branch: 'ralph/feature', commit, files: 1, uncommitted: 0 }]);
  git(kit.project, 'checkout', '-q', 'ralph/feature');
  git(kit.project, 'checkout', '-q', 'main');
  must(await port.reattach(kit.run(), branches(own)));
  expect(headOf(own.path)).toBe('ralph/feature');
  write(own.path, 'open.txt', 'open');
  const [left] = await released(own);
  expect(left).toMatchObject({ branch: own.branch, files: 2, uncommitted: 1 });
  expect(git(kit.project, 'rev-parse', 'ralph/feature')).toBe(commit);
  must(await port.reattach(kit.run(), branches(own)));
  expect([headOf(own.path), git(own.path, 'status', '--porcelain')]).toEqual([
    'ralph/feature',
    '?? open.txt',
  ]);
});

test('A branch that the operator checked out elsewhere is not taken from them', async () => {
  const own = must(await port.prepare(kit.run()));
  write(own.path, 'new.txt', 'made');
  await released(own);
  const [branch = ''] = branches(own);
  git(kit.project, 'checkout', '-q', branch);
  const refused = await port.reattach(kit.run(), [branch]);
  expect(refused).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(!refused.ok && refused.error.message).toContain(kit.project);
  expect(headOf(kit.project)).toBe(branch);
});

test('What the operator committed on the free branch is there when the run goes on', async () => {
  const own = must(await port.prepare(kit.run()));
  write(own.path, 'new.txt', 'made');
  await released(own);
  const [branch = ''] = branches(own);
  git(kit.project, 'checkout', '-q', branch);
  write(kit.project, 'mine.txt', 'mine');
  const commit = commitAll(kit.project);
  git(kit.project, 'checkout', '-q', 'main');
  must(await port.reattach(kit.run(), [branch]));
  expect([headOf(own.path), git(own.path, 'rev-parse', 'HEAD')]).toEqual([branch, commit]);
  expect(existsSync(join(own.path, 'mine.txt'))).toBe(true);
});

test('A commit that was made without a branch ends on the branch of the run', async () => {
  const own = must(await port.prepare(kit.run()));
  git(own.path, 'checkout', '-q', '--detach');
  write(own.path, 'b.txt', 'b');
  const commit = commitAll(own.path);
  const [left] = await released(own);
  expect(left).toMatchObject({ branch: own.branch, commit, files: 1 });
});

test('Work that a later folder has too is said to be included there', async () => {
  const own = must(await port.prepare(kit.run()));
  write(own.path, 'first.txt', '1');
  const second = must(await port.branch(kit.run(), { key: 'build-1', from: own.path }));
  write(second.path, 'second.txt', '2');
  const other = must(await port.branch(kit.run(), { key: 'docs-2', from: second.path }));
  write(other.path, 'first.txt', 'other');
  expect((await released(own, second, other)).map(({ files, includedIn }) => [files, includedIn])).toEqual([
    [1, [second.branch]],
    [1, []],
    [1, []],
  ]);
});

test('A run whose worktree is in another data folder is not said to have changed nothing', async () => {
  const own = must(await port.prepare(kit.run()));
  write(own.path, 'new.txt', 'made');
  const other = kit.port({ worktreesDir: join(kit.root, 'other') });
  expect(must(await other.release(kit.run(), [own], yes))).toEqual([]);
  commitAll(own.path);
  expect(must(await other.release(kit.run(), [own], yes))).toMatchObject([{ branch: own.branch, files: 1 }]);
});

test('A run whose worktree was deleted by hand is named with its branch', async () => {
  const own = must(await port.prepare(kit.run()));
  write(own.path, 'b.txt', 'b');
  const commit = commitAll(own.path);
  rmSync(own.path, { recursive: true });
  expect(await released(own)).toMatchObject([{ branch: own.branch, commit, files: 1 }]);
});

test('A run that goes on meanwhile keeps its branch', async () => {
  const own = must(await port.prepare(kit.run()));
  expect(must(await port.release(kit.run(), [own], () => false))).toBeNull();
  expect(headOf(own.path)).toBe(own.branch);
});

test('Cleared worktrees and branches come back by the command that is told, and by going on', async () => {
  const run = kit.run();
  const own = must(await port.prepare(run));
  write(own.path, 'new.txt', 'made');
  const [left] = await released(own);
  const [branch = ''] = branches(own);
  const cleared = must(await port.clear(run, { branches: [branch], ...removing('docker down') }));
  expect(cleared).toMatchObject({ worktrees: [own.path], branches: [{ name: branch }], notes: [] });
  expect([existsSync(own.path), git(kit.project, 'branch', '--list', 'muster/*')]).toEqual([false, '']);
  expect(kit.scripts.map(({ script }) => script)).toEqual(['docker down']);
  const again = must(await port.prepare(run));
  expect(readFileSync(join(again.path, 'new.txt'), 'utf8')).toBe('made');
  must(await port.release(run, [again], yes));
  must(await port.clear(run, { branches: [branch], ...removing() }));
  expect(cleared.branches[0]?.restore).toContain(`branch ${branch} ${left?.commit}`);
  git(kit.project, 'branch', branch, left?.commit ?? '');
  expect(git(kit.project, 'show', `${branch}:new.txt`)).toBe('made');
});

test('A cleared branch that the operator has checked out stays', async () => {
  const own = must(await port.prepare(kit.run()));
  await released(own);
  const [branch = ''] = branches(own);
  git(kit.project, 'checkout', '-q', branch);
  const cleared = must(await port.clear(kit.run(), { branches: [branch], ...removing() }));
  expect(cleared.notes[0]).toContain(`stays: it is checked out in ${kit.project}`);
  expect(headOf(kit.project)).toBe(branch);
});

test('Worktrees are known by their folders, with whether they hold a branch', async () => {
  const own = must(await port.prepare(kit.run()));
  const [known] = await port.worktrees();
  expect(known).toMatchObject({ root: own.path, made: own.branch, holdsBranch: true });
  await released(own);
  expect(await port.worktrees()).toMatchObject([{ holdsBranch: false }]);
});
