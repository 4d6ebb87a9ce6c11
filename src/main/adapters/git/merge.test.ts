import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { GitMerges } from './merge';

let project = '';
let start = '';
const merges = new GitMerges();

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
    cwd: project,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
const write = (file: string, text: string) => writeFileSync(join(project, file), text);
const read = (file: string) => readFileSync(join(project, file), 'utf8');

/** The work of a member: a commit on a branch of its own; the checkout is back on main afterwards. */
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
  git('init', '-q', '-b', 'main');
  write('a.txt', 'one\ntwo\nthree\n');
  write('b.txt', 'b\n');
  git('add', '-A');
  git('commit', '-qm', 'start');
  start = git('rev-parse', 'HEAD');
});

const merge = (commit: string, choices = {}, expected = git('rev-parse', 'HEAD')) =>
  merges.merge({ projectPath: project, commit, choices, message: 'Merge S1', expected });

describe('a merge that fits', () => {
  it('is tried without a trace, then made as one commit of the checkout', async () => {
    const commit = work(() => write('a.txt', 'one\nTWO\nthree\n'));
    const before = git('rev-parse', 'HEAD');
    expect(await merges.rehearse({ projectPath: project, commit })).toEqual({
      ok: true,
      value: { target: 'main', targetCommit: before, files: 1, conflicts: [] },
    });
    expect(git('status', '--short')).toBe('');
    expect(await merge(commit)).toEqual({ ok: true, value: git('rev-parse', 'HEAD') });
    expect(read('a.txt')).toBe('one\nTWO\nthree\n');
    expect(git('log', '--format=%s', '-1')).toBe('Merge S1');
    expect(git('rev-parse', 'HEAD^')).toBe(before);
    expect(git('status', '--short')).toBe('');
  });

  it('leaves what the operator changed elsewhere, and gives nothing where all is there already', async () => {
    const commit = work(() => write('a.txt', 'one\nTWO\nthree\n'));
    write('b.txt', 'mine\n');
    expect(await merge(commit)).toMatchObject({ ok: true });
    expect(read('b.txt')).toBe('mine\n');
    expect(await merge(commit)).toEqual({ ok: true, value: null });
  });

  it('is made once, also where it is asked for again after a crash and the operator has gone on from it', async () => {
    const commit = work(() => write('a.txt', 'one\nTWO\nthree\n'));
    const expected = git('rev-parse', 'HEAD');
    const made = await merge(commit, {}, expected);
    expect(made).toEqual({ ok: true, value: git('rev-parse', 'HEAD') });
    expect(await merge(commit, {}, expected)).toEqual(made);
    write('a.txt', 'one\ntwo, after all\nthree\n');
    git('commit', '-qam', 'on from there');
    expect(await merge(commit, {}, expected)).toEqual(made);
    expect(read('a.txt')).toBe('one\ntwo, after all\nthree\n');
  });

  it('waits for another one into the same checkout', async () => {
    const one = work(() => write('a.txt', 'one\nTWO\nthree\n'));
    const other = work(() => write('b.txt', 'B\n'));
    const expected = git('rev-parse', 'HEAD');
    const both = [one, other].map((commit, index) =>
      merges.merge({ projectPath: project, commit, choices: {}, message: `Merge ${index}`, expected }),
    );
    expect(await Promise.all(both)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(git('log', '--format=%s', '-2')).toBe('Merge 1\nMerge 0');
    expect([read('a.txt'), read('b.txt')]).toEqual(['one\nTWO\nthree\n', 'B\n']);
  });

  it('is refused, with nothing touched, where the operator has changes of their own in the same file', async () => {
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

  it('shows both sides and what they come from', async () => {
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

  it.each([
    [{ take: 'ours' }, 'one\nours\nthree\n'],
    [{ take: 'theirs' }, 'one\ntheirs\nthree\n'],
    [{ take: 'both' }, 'one\nours\ntheirs\nthree\n'],
    [{ take: 'by_hand', text: 'mine\n' }, 'mine\n'],
  ])('takes %j', async (choice, text) => {
    const commit = both();
    await merge(commit, { 'a.txt': choice });
    expect(read('a.txt')).toBe(text);
    expect(git('status', '--short')).toBe('');
  });

  it('is never made with a conflict undecided, and leaves no markers', async () => {
    const commit = both();
    expect(await merge(commit)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(read('a.txt')).toBe('one\nours\nthree\n');
    expect(git('status', '--short')).toBe('');
  });

  it('of a file that one side deleted', async () => {
    const commit = work(() => rmSync(join(project, 'a.txt')));
    write('a.txt', 'one\nours\nthree\n');
    git('commit', '-qam', 'ours');
    await merge(commit, { 'a.txt': { take: 'theirs' } });
    expect(git('ls-files')).toBe('b.txt');
  });

  it('that came up after it was tried is told, and nothing is done', async () => {
    const commit = work(() => write('a.txt', 'one\ntheirs\nthree\n'));
    const expected = git('rev-parse', 'HEAD');
    write('a.txt', 'one\nours\nthree\n');
    git('commit', '-qam', 'ours');
    expect(await merge(commit, {}, expected)).toMatchObject({
      error: { code: 'conflict', message: expect.stringContaining('has moved on') },
    });
  });
});
