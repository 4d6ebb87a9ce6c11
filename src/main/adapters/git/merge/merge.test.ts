import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { MergeToMake } from '../../../core/ports/workspaces/merges';
import { GitError, type GitRunner, hereBy } from '../command/run-git';
import { CheckoutMoves } from '../moves';
import { GitMerges } from './merge';

let project = '';
let start = '';
let moves: CheckoutMoves;
let merges: GitMerges;

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
    cwd: project,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
const write = (file: string, text: string) => writeFileSync(join(project, file), text);
const read = (file: string) => readFileSync(join(project, file), 'utf8');

/** A member's work: a commit on its own branch; afterwards the checkout is on main again. */
function work(change: () => void): string {
  git('checkout', '-q', '-b', `m${Math.random()}`, start);
  change();
  git('add', '-A');
  git('commit', '-qm', 'work');
  const commit = git('rev-parse', 'HEAD');
  git('checkout', '-q', 'main');
  return commit;
}

beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'muster-merge-test-')));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  const journal = mkdtempSync(join(tmpdir(), 'muster-moves-'));
  onTestFinished(() => rmSync(journal, { recursive: true, force: true }));
  moves = new CheckoutMoves({ dir: journal });
  merges = new GitMerges(moves);
  git('init', '-q', '-b', 'main');
  write('a.txt', 'one\ntwo\nthree\n');
  write('b.txt', 'b\n');
  git('add', '-A');
  git('commit', '-qm', 'start');
  start = git('rev-parse', 'HEAD');
});

/** A confirmed merge of S1, rehearsed on the checkout's current commit. */
const confirmed = (commit: string, more: Partial<MergeToMake> = {}): MergeToMake => ({
  projectPath: project,
  commit,
  choices: {},
  message: 'Merge the work of S1\n\nTeam run x (U1), 2 rounds.',
  id: 'U1/1/1',
  newer: null,
  rehearsed: { target: 'main', targetCommit: git('rev-parse', 'HEAD') },
  ...more,
});
const merge = (commit: string, more: Partial<MergeToMake> = {}) => merges.merge(confirmed(commit, more));
const made = (commit: string | null) => ({ ok: true, value: { kind: 'made', commit } });

describe('a merge that fits', () => {
  test('a merge that fits is tried without a trace, then made as one commit of the checkout', async () => {
    const commit = work(() => write('a.txt', 'one\nTWO\nthree\n'));
    const before = git('rev-parse', 'HEAD');
    expect(await merges.rehearse({ projectPath: project, commit })).toEqual({
      ok: true,
      value: { target: 'main', targetCommit: before, files: 1, conflicts: [], commit },
    });
    expect(git('status', '--short')).toBe('');
    expect(await merge(commit)).toEqual(made(git('rev-parse', 'HEAD')));
    expect(read('a.txt')).toBe('one\nTWO\nthree\n');
    expect(git('log', '--format=%B', '-1')).toBe(
      'Merge the work of S1\n\nTeam run x (U1), 2 rounds.\n\nMuster-Merge: U1/1/1',
    );
    expect(git('rev-parse', 'HEAD^')).toBe(before);
    expect(git('status', '--short')).toBe('');
  });

  test("a merge leaves the operator's changes elsewhere, and is empty where the checkout has all of it already", async () => {
    const commit = work(() => write('a.txt', 'one\nTWO\nthree\n'));
    write('b.txt', 'mine\n');
    expect(await merge(commit)).toMatchObject({ ok: true });
    expect(read('b.txt')).toBe('mine\n');
    expect(await merge(commit)).toEqual(made(null));
  });

  test('a merge is made once, also where it is requested again after a crash and the operator has committed since', async () => {
    const commit = work(() => write('a.txt', 'one\nTWO\nthree\n'));
    const wanted = confirmed(commit);
    const first = await merges.merge(wanted);
    expect(first).toEqual(made(git('rev-parse', 'HEAD')));
    expect(await merges.merge(wanted)).toEqual(first);
    write('a.txt', 'one\ntwo, after all\nthree\n');
    git('commit', '-qam', 'on from there');
    expect(await merges.merge(wanted)).toEqual(first);
    git('checkout', '-q', '-b', 'feature', start);
    expect(await merges.merge(wanted)).toEqual(first);
    git('checkout', '-q', 'main');
    expect(read('a.txt')).toBe('one\ntwo, after all\nthree\n');
  });

  test('a merge waits for another one into the same checkout', async () => {
    const one = work(() => write('a.txt', 'one\nTWO\nthree\n'));
    const other = work(() => write('b.txt', 'B\n'));
    const both = [one, other].map((commit, index) =>
      merge(commit, { message: `Merge ${index}`, id: `U1/1/${index}` }),
    );
    expect(await Promise.all(both)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(git('log', '--format=%s', '-2')).toBe('Merge 1\nMerge 0');
    expect([read('a.txt'), read('b.txt')]).toEqual(['one\nTWO\nthree\n', 'B\n']);
  });

  test('a merge is refused, with nothing touched, where the operator has changes of their own in the same file', async () => {
    const commit = work(() => write('a.txt', 'one\nTWO\nthree\n'));
    write('a.txt', 'one\ntwo\nthree\nmine\n');
    const before = git('rev-parse', 'HEAD');
    expect(await merge(commit)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(read('a.txt')).toBe('one\ntwo\nthree\nmine\n');
    expect(git('rev-parse', 'HEAD')).toBe(before);
  });
});

describe('a merge with conflicts', () => {
  const both = () => {
    const commit = work(() => write('a.txt', 'one\ntheirs\nthree\n'));
    write('a.txt', 'one\nours\nthree\n');
    git('commit', '-qam', 'ours');
    return commit;
  };

  test('a merge with conflicts shows both sides and their common base', async () => {
    const commit = both();
    expect(await merges.rehearse({ projectPath: project, commit })).toMatchObject({
      value: {
        conflicts: [
          {
            path: 'a.txt',
            base: 'one\ntwo\nthree\n',
            ours: 'one\nours\nthree\n',
            theirs: 'one\ntheirs\nthree\n',
          },
        ],
      },
    });
  });

  test.each<[MergeToMake['choices'][string], string]>([
    [{ take: 'ours' }, 'one\nours\nthree\n'],
    [{ take: 'theirs' }, 'one\ntheirs\nthree\n'],
    [{ take: 'both' }, 'one\nours\ntheirs\nthree\n'],
    [{ take: 'by_hand', text: 'mine\n' }, 'mine\n'],
  ])('a merge takes the choice %j for a conflict', async (choice, text) => {
    const commit = both();
    await merge(commit, { choices: { 'a.txt': choice } });
    expect(read('a.txt')).toBe(text);
    expect(git('status', '--short')).toBe('');
  });

  test('a merge is never made with an undecided conflict, and leaves no markers', async () => {
    const commit = both();
    expect(await merge(commit)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(read('a.txt')).toBe('one\nours\nthree\n');
    expect(git('status', '--short')).toBe('');
  });

  test('a merge shows the conflict of a file that one side deleted', async () => {
    const commit = work(() => rmSync(join(project, 'a.txt')));
    write('a.txt', 'one\nours\nthree\n');
    git('commit', '-qam', 'ours');
    await merge(commit, { choices: { 'a.txt': { take: 'theirs' } } });
    expect(git('ls-files')).toBe('b.txt');
  });

  test('a conflict that came up after the rehearsal is shown, and nothing is changed', async () => {
    const commit = work(() => write('a.txt', 'one\ntheirs\nthree\n'));
    const wanted = confirmed(commit);
    write('a.txt', 'one\nours\nthree\n');
    git('commit', '-qam', 'ours');
    const head = git('rev-parse', 'HEAD');
    expect(await merges.merge(wanted)).toMatchObject({
      value: {
        kind: 'moved',
        moved: 'main has moved on since.',
        targetCommit: head,
        conflicts: [{ path: 'a.txt', ours: 'one\nours\nthree\n' }],
      },
    });
    expect(git('rev-parse', 'HEAD')).toBe(head);
  });

  test('a merge is shown again where a file with a decision has other content by now', async () => {
    const commit = both();
    const wanted = confirmed(commit, { choices: { 'a.txt': { take: 'theirs' } } });
    write('b.txt', 'elsewhere\n');
    git('commit', '-qam', 'elsewhere');
    write('a.txt', 'one\nnewer\nthree\n');
    git('commit', '-qam', 'newer');
    expect(await merges.merge(wanted)).toMatchObject({
      value: { kind: 'moved', conflicts: [{ path: 'a.txt', ours: 'one\nnewer\nthree\n' }] },
    });
    expect(read('a.txt')).toBe('one\nnewer\nthree\n');
  });

  test('a merge is shown again where a file with a decision is no longer in conflict', async () => {
    const commit = both();
    const wanted = confirmed(commit, { choices: { 'a.txt': { take: 'by_hand', text: 'mine\n' } } });
    write('a.txt', 'one\ntheirs\nthree\n');
    git('commit', '-qam', 'settled');
    expect(await merges.merge(wanted)).toMatchObject({ value: { kind: 'moved', conflicts: [] } });
  });

  test('a merge goes on where only other files have changed since', async () => {
    const commit = both();
    const wanted = confirmed(commit, { choices: { 'a.txt': { take: 'theirs' } } });
    write('b.txt', 'elsewhere\n');
    git('commit', '-qam', 'elsewhere');
    expect(await merges.merge(wanted)).toEqual(made(git('rev-parse', 'HEAD')));
    expect([read('a.txt'), read('b.txt')]).toEqual(['one\ntheirs\nthree\n', 'elsewhere\n']);
  });

  test('a merge says of a side that it is truncated or binary', async () => {
    const long = `${'x'.repeat(200_001)}\n`;
    const commit = work(() => {
      write('a.txt', long);
      write('b.txt', 'b\0');
    });
    write('a.txt', 'ours\n');
    write('b.txt', 'ours\n');
    git('commit', '-qam', 'ours');
    expect(await merges.rehearse({ projectPath: project, commit })).toMatchObject({
      value: {
        conflicts: [
          { path: 'a.txt', ours: 'ours\n', shown: 'cut' },
          { path: 'b.txt', theirs: '(binary)', shown: 'binary' },
        ],
      },
    });
  });
});

describe('telling merges apart', () => {
  const assembly = {
    message: 'Merge the work of S1-assembly\n\nTeam run x (U1), 2 rounds.',
    id: 'U1/1/2',
  };

  test.each([
    [0, 1],
    [1, 0],
  ])('merges of members whose names begin alike are told apart in the order %i, %i', async (...order) => {
    const one = work(() => write('a.txt', 'one\nTWO\nthree\n'));
    const other = work(() => write('b.txt', 'B\n'));
    const both = [confirmed(one), confirmed(other, assembly)];
    for (const index of order)
      expect(await merges.merge(both[index] ?? confirmed(''))).toMatchObject(made(git('rev-parse', 'HEAD')));
    expect(git('rev-list', '--count', `${start}..HEAD`)).toBe('2');
    expect([read('a.txt'), read('b.txt')]).toEqual(['one\nTWO\nthree\n', 'B\n']);
  });

  test('merges of members with the same name in two steps of a run are told apart', async () => {
    const one = confirmed(work(() => write('a.txt', 'one\nTWO\nthree\n')));
    const other = confirmed(
      work(() => write('b.txt', 'B\n')),
      { id: 'U1/2/1' },
    );
    await merges.merge(one);
    await merges.merge(other);
    expect([read('a.txt'), read('b.txt')]).toEqual(['one\nTWO\nthree\n', 'B\n']);
  });

  test('a merge made before merges had marks is recognized by its message and its changes', async () => {
    const commit = work(() => write('a.txt', 'one\nTWO\nthree\n'));
    const wanted = confirmed(commit);
    write('a.txt', 'one\nTWO\nthree\n');
    git('commit', '-qam', wanted.message);
    const old = git('rev-parse', 'HEAD');
    expect(await merges.merge(wanted)).toEqual(made(old));
    const other = work(() => write('b.txt', 'B\n'));
    expect(await merges.merge({ ...wanted, commit: other })).toEqual(made(git('rev-parse', 'HEAD')));
    expect([git('rev-parse', 'HEAD^'), read('b.txt')]).toEqual([old, 'B\n']);
  });
});

describe('a checkout on another branch', () => {
  test('a merge is shown and not made where the checkout is on another branch by now', async () => {
    const commit = work(() => write('a.txt', 'one\nTWO\nthree\n'));
    const wanted = confirmed(commit);
    git('checkout', '-q', '-b', 'feature');
    expect(await merges.merge(wanted)).toMatchObject({
      value: {
        kind: 'moved',
        moved: 'Your checkout is on feature now, and was on main.',
        target: 'feature',
        files: 1,
      },
    });
    expect([git('rev-parse', 'feature'), git('rev-parse', 'main')]).toEqual([start, start]);
  });

  test('a merge is asked about where the merged work has changed by then', async () => {
    const commit = work(() => write('a.txt', 'one\nTWO\nthree\n'));
    const newer = work(() => write('b.txt', 'B\n'));
    const wanted = confirmed(commit, { newer });
    expect(await merges.merge(wanted)).toMatchObject({
      value: { kind: 'moved', moved: 'Its folder has changed since.', commit: newer, files: 1 },
    });
    await merges.merge({ ...wanted, newer: null });
    expect(await merges.merge(wanted)).toEqual(made(git('rev-parse', 'HEAD')));
  });

  test('a merge is looked at again where the checkout lets go of its commits', async () => {
    const commit = work(() => write('a.txt', 'one\nTWO\nthree\n'));
    const wanted = confirmed(commit, { rehearsed: { target: 'main', targetCommit: 'f'.repeat(40) } });
    expect(await merges.merge(wanted)).toMatchObject({ value: { kind: 'moved' } });
  });
});

describe('obstacles to a merge', () => {
  test('a git that is too old is named as the reason why no merge is made', async () => {
    const old: GitRunner = {
      whole: (start) => hereBy('git').whole(start),
      stream: (start, take) =>
        start.args.includes('merge-tree')
          ? Promise.reject(new GitError('usage: git merge-tree <base-tree> <branch1> <branch2>', 129))
          : hereBy('git').stream(start, take),
    };
    const commit = work(() => write('a.txt', 'ONE\n'));
    expect(await new GitMerges(moves, old).rehearse({ projectPath: project, commit })).toMatchObject({
      error: {
        message: expect.stringContaining('needs git 2.38'),
        mend: expect.stringContaining('newer git'),
      },
    });
  });

  test('another git at work in the checkout keeps a merge from being made, and is not taken for changes of the operator', async () => {
    const commit = work(() => write('a.txt', 'ONE\n'));
    write('.git/index.lock', '');
    expect(await merge(commit)).toMatchObject({
      error: { code: 'conflict', mend: expect.stringContaining('Wait for the git') },
    });
  });

  test('a submodule in conflict does not keep a merge from being made: it is shown as its commit, and one side is taken', async () => {
    const link = (n: number) =>
      git('update-index', '--add', '--cacheinfo', `160000,${String(n).repeat(40)},sub`);
    const side = (n: number): string => {
      git('checkout', '-q', '-b', `s${n}`, start);
      link(n);
      git('commit', '-qm', `sub ${n}`);
      return git('rev-parse', 'HEAD');
    };
    const theirs = side(2);
    git('checkout', '-q', '-f', 'main');
    link(1);
    git('commit', '-qm', 'sub 1');
    const tried = await merges.rehearse({ projectPath: project, commit: theirs });
    expect(tried).toMatchObject({
      value: {
        conflicts: [{ path: 'sub', ours: `(submodule at ${'1'.repeat(40)})`, shown: 'binary' }],
      },
    });
    expect(await merge(theirs, { choices: { sub: { take: 'theirs' } } })).toMatchObject({
      value: { kind: 'made' },
    });
    expect(git('rev-parse', 'HEAD:sub')).toBe('2'.repeat(40));
  });
});

test('the changes of a merge are those it would make in the checkout, without the files in conflict', async () => {
  const commit = work(() => {
    write('a.txt', 'one\nTWO\nthree\n');
    write('b.txt', 'theirs\n');
    write('new.txt', 'new\n');
  });
  write('b.txt', 'ours\n');
  git('commit', '-qam', 'ours');
  const into = git('rev-parse', 'HEAD');
  const read = await merges.changes({ projectPath: project, commit, into });
  expect(read).toMatchObject({ ok: true, value: { root: project } });
  const files = read.ok ? read.value.files : [];
  expect(files.map(({ path, added, removed }) => [path, added, removed])).toEqual([
    ['a.txt', 1, 1],
    ['new.txt', 1, 0],
  ]);
  expect(files[0]?.hunks[0]?.lines).toEqual([' one', '-two', '+TWO', ' three']);
  expect(git('status', '--short')).toBe('');
});
