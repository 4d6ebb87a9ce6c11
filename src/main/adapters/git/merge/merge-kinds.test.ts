import { lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MergeChoices } from '@areas/changes/contract/merge';
import { beforeEach, expect, test } from 'vitest';
import { commitAll, git as gitIn, Kit, movesBelow, must, write as writeIn, writeTool } from '../testing/kit';
import { GitMerges } from './merge';

let kit: Kit;
let merges: GitMerges;
const git = (...args: string[]) => gitIn(kit.project, ...args);
const write = (file: string, text: string) => writeIn(kit.project, file, text);
const remove = (file: string) => rmSync(join(kit.project, file), { recursive: true });
const link = (file: string, to: string) => {
  mkdirSync(dirname(join(kit.project, file)), { recursive: true });
  symlinkSync(to, join(kit.project, file));
};

beforeEach(() => {
  kit = new Kit();
  kit.init('a.txt', 'g.txt');
  merges = new GitMerges(movesBelow(kit.root));
});

/** The work of a member, then what the operator committed. */
function both(theirs: () => void, ours: () => void): string {
  git('checkout', '-q', '-b', 'work');
  theirs();
  const commit = commitAll(kit.project, 'work');
  git('checkout', '-q', 'main');
  ours();
  commitAll(kit.project, 'mine');
  return commit;
}

const rehearse = async (commit: string) => must(await merges.rehearse({ projectPath: kit.project, commit }));

async function merge(commit: string, choices: MergeChoices) {
  const rehearsed = await rehearse(commit);
  const more = { id: 'U1/1/1', newer: null, message: 'Merge', rehearsed, choices };
  return merges.merge({ projectPath: kit.project, commit, ...more });
}

const files = () => git('ls-files').split('\n');
const take = (path: string, which: 'ours' | 'theirs' | 'both' | 'by_hand', text?: string): MergeChoices => ({
  [path]: { take: which, ...(text === undefined ? {} : { text }) },
});

test('a file against a folder is one conflict under its own name, and each side can be kept whole', async () => {
  const begin = () =>
    both(
      () => write('x/y', 'theirs\n'),
      () => write('x', 'mine\n'),
    );
  const commit = begin();
  const { conflicts } = await rehearse(commit);
  expect(conflicts).toEqual([
    { path: 'x', base: null, ours: 'mine\n', theirs: '(folder with 1 file)', shown: 'binary' },
  ]);
  const into = git('rev-parse', 'HEAD');
  const changes = must(await merges.changes({ projectPath: kit.project, commit, into }));
  expect(changes.files).toEqual([]);
  expect(await merge(commit, take('x', 'by_hand', 'text'))).toMatchObject({ error: { code: 'conflict' } });
  expect(await merge(commit, take('x', 'ours'))).toMatchObject({ value: { kind: 'made' } });
  expect(files()).toEqual(['a.txt', 'g.txt', 'x']);
  expect(readFileSync(join(kit.project, 'x'), 'utf8')).toBe('mine\n');
  git('reset', '-q', '--hard', 'HEAD~1');
  expect(await merge(commit, take('x', 'theirs'))).toMatchObject({ value: { kind: 'made' } });
  expect(files()).toEqual(['a.txt', 'g.txt', 'x/y']);
});

test('a folder of the operator against a file of a member keeps the folder, or takes the file', async () => {
  const commit = both(
    () => write('x', 'theirs\n'),
    () => {
      write('x/y', 'mine\n');
      write('x/z', 'mine\n');
    },
  );
  expect((await rehearse(commit)).conflicts).toMatchObject([
    { path: 'x', ours: '(folder with 2 files)', theirs: 'theirs\n' },
  ]);
  await merge(commit, take('x', 'ours'));
  expect(files()).toEqual(['a.txt', 'g.txt', 'x/y', 'x/z']);
  git('reset', '-q', '--hard', 'HEAD~1');
  await merge(commit, take('x', 'theirs'));
  expect(files()).toEqual(['a.txt', 'g.txt', 'x']);
});

test('a file against a link is one conflict, and neither lines nor a text are written into the link', async () => {
  const commit = both(
    () => {
      remove('g.txt');
      link('g.txt', 'a.txt');
    },
    () => write('g.txt', 'mine\n'),
  );
  expect((await rehearse(commit)).conflicts).toEqual([
    { path: 'g.txt', base: 'g.txt\n', ours: 'mine\n', theirs: '(link to a.txt)', shown: 'binary' },
  ]);
  for (const choice of [take('g.txt', 'both'), take('g.txt', 'by_hand', 'text')])
    expect(await merge(commit, choice)).toMatchObject({ error: { code: 'conflict' } });
  await merge(commit, take('g.txt', 'ours'));
  expect(files()).toEqual(['a.txt', 'g.txt']);
  expect(readFileSync(join(kit.project, 'g.txt'), 'utf8')).toBe('mine\n');
  git('reset', '-q', '--hard', 'HEAD~1');
  await merge(commit, take('g.txt', 'theirs'));
  expect(files()).toEqual(['a.txt', 'g.txt']);
  expect(readlinkSync(join(kit.project, 'g.txt'))).toBe('a.txt');
});

test('a file that both renamed keeps the name of the chosen side, and a mode is no conflict of lines', async () => {
  const commit = both(
    () => {
      git('mv', 'a.txt', 'theirs.txt');
      writeTool(kit.project, 'g.txt', 'g.txt\n');
    },
    () => {
      git('mv', 'a.txt', 'mine.txt');
      write('g.txt', 'changed\n');
    },
  );
  const { conflicts } = await rehearse(commit);
  expect(conflicts.map(({ path }) => path).sort()).toEqual(['a.txt', 'mine.txt', 'theirs.txt']);
  const all = Object.assign({}, ...conflicts.map(({ path }) => take(path, 'ours'))) as MergeChoices;
  await merge(commit, all);
  expect(files()).toEqual(['g.txt', 'mine.txt']);
  expect(lstatSync(join(kit.project, 'g.txt')).mode & 0o100).toBe(0o100);
  expect(readFileSync(join(kit.project, 'g.txt'), 'utf8')).toBe('changed\n');
});

test('a submodule on both sides is kept at the commit of the chosen one', async () => {
  const entry = (oid: string) => () => git('update-index', '--add', '--cacheinfo', `160000,${oid},lib`);
  const commitOf = (set: () => void, message: string) => {
    set();
    git('commit', '-qm', message);
    return git('rev-parse', 'HEAD');
  };
  const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(40));
  commitOf(entry(one ?? ''), 'lib');
  git('checkout', '-q', '-b', 'work');
  const commit = commitOf(entry(two ?? ''), 'theirs');
  git('checkout', '-q', 'main');
  commitOf(entry(three ?? ''), 'mine');
  const { conflicts } = await rehearse(commit);
  expect(conflicts).toMatchObject([{ path: 'lib', ours: `(submodule at ${three})`, shown: 'binary' }]);
  await merge(commit, take('lib', 'theirs'));
  expect(git('ls-tree', 'HEAD', 'lib')).toContain(two);
});

test('a bare root names its worktrees, and a checkout with an unfinished merge that it is unfinished', async () => {
  const commit = both(
    () => write('a.txt', 'theirs\n'),
    () => write('a.txt', 'mine\n'),
  );
  const bare = join(kit.root, 'bare');
  gitIn(kit.root, 'clone', '-q', '--bare', kit.project, join(bare, '.bare'));
  writeIn(bare, '.git', 'gitdir: ./.bare\n');
  gitIn(bare, 'worktree', 'add', '-q', 'main', 'main');
  expect(await merges.rehearse({ projectPath: bare, commit })).toMatchObject({
    error: { message: expect.stringContaining(`no checkout. Worktrees: main (${bare}/main)`) },
  });
  expect(() => git('merge', 'work')).toThrow();
  const rehearsed = await rehearse(commit);
  const more = { id: 'U1/1/1', newer: null, message: 'Merge', rehearsed, choices: take('a.txt', 'ours') };
  expect(await merges.merge({ projectPath: kit.project, commit, ...more })).toMatchObject({
    error: {
      message: 'Nothing was merged: your checkout has an unfinished merge.',
      mend: expect.stringContaining('Finish or abort it first (git merge --abort)'),
    },
  });
});

test('work in a history of its own is refused with the ways to bring it over', async () => {
  git('checkout', '-q', '--orphan', 'own');
  write('b.txt', 'own\n');
  const commit = commitAll(kit.project, 'own');
  git('checkout', '-q', 'main');
  const tried = await merges.rehearse({ projectPath: kit.project, commit });
  expect(tried).toMatchObject({
    ok: false,
    error: {
      message: `The work ${commit.slice(0, 12)} has no commit in common with main.`,
      mend: expect.stringContaining('--allow-unrelated-histories'),
    },
  });
});
