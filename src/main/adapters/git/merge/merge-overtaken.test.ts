import { beforeEach, expect, test } from 'vitest';
import type { MergeToMake } from '../../../core/ports/workspaces/merges';
import { type GitRunner, hereBy } from '../command/run-git';
import { commitAll, git as gitIn, Kit, movesBelow, write as writeIn } from '../testing/kit';
import { GitMerges } from './merge';

let kit: Kit;
let commit = '';
const git = (...args: string[]) => gitIn(kit.project, ...args);
const write = (file: string, text: string) => writeIn(kit.project, file, text);

beforeEach(() => {
  kit = new Kit();
  kit.init('a.txt', 'b.txt');
  git('checkout', '-q', '-b', 'work');
  write('a.txt', 'changed\n');
  commit = commitAll(kit.project, 'work');
  git('checkout', '-q', 'main');
});

const wanted = (): MergeToMake => ({
  projectPath: kit.project,
  commit,
  choices: {},
  id: 'U1/1/1',
  newer: null,
  message: 'Merge the work of S1',
  rehearsed: { target: 'main', targetCommit: git('rev-parse', 'HEAD') },
});
const made = (id: string) => ({ ok: true, value: { kind: 'made', commit: id } });

/** A git that changes the checkout as soon as a merge's commit is made. */
const overtakenBy = (change: () => void): GitRunner => {
  let done = false;
  const overtake = (args: readonly string[]) => {
    if (!args.includes('--ff-only') || done) return;
    done = true;
    change();
  };
  return {
    whole: (start) => {
      overtake(start.args);
      return hereBy('git').whole(start);
    },
    stream: (start, take) => {
      overtake(start.args);
      return hereBy('git').stream(start, take);
    },
  };
};

test('a merge that an interrupted change finished meanwhile is reported as made, with its commit', async () => {
  const overtaken = new GitMerges(
    movesBelow(kit.root),
    overtakenBy(() => {
      git('checkout', '-q', commit, '--', '.');
      git('commit', '-qm', 'Merge the work of S1\n\nMuster-Merge: U1/1/1');
    }),
  );
  expect(await overtaken.merge(wanted())).toEqual(made(git('rev-parse', 'HEAD')));
  expect(git('log', '--format=%s')).toBe('Merge the work of S1\nmore');
});

test('a merge during which the operator commits something else is made on top of that', async () => {
  const overtaken = new GitMerges(
    movesBelow(kit.root),
    overtakenBy(() => {
      write('b.txt', 'mine\n');
      git('commit', '-qam', 'mine');
    }),
  );
  expect(await overtaken.merge(wanted())).toEqual(made(git('rev-parse', 'HEAD')));
  expect(git('log', '--format=%s')).toBe('Merge the work of S1\nmine\nmore');
});

test('a merge is shown again where the operator has dropped the commit that it was tried on', async () => {
  write('secret.txt', 'dropped\n');
  commitAll(kit.project, 'second');
  git('checkout', '-q', '-b', 'member');
  write('b.txt', 'theirs\n');
  const work = commitAll(kit.project, 'work');
  git('checkout', '-q', 'main');
  const shown = { ...wanted(), commit: work };
  git('reset', '-q', '--hard', 'HEAD~1');
  const head = git('rev-parse', 'HEAD');
  expect(await new GitMerges(movesBelow(kit.root)).merge(shown)).toMatchObject({
    value: { kind: 'moved', moved: expect.stringMatching(/no longer has the commit/), files: 2 },
  });
  expect(git('rev-parse', 'HEAD')).toBe(head);
  expect(git('ls-files')).not.toContain('secret.txt');
});

test('a merge takes in later commits of other files, and is shown again if one changed its own files', async () => {
  const merges = new GitMerges(movesBelow(kit.root));
  const shown = wanted();
  write('b.txt', 'elsewhere\n');
  commitAll(kit.project, 'another file');
  expect(await merges.merge(shown)).toMatchObject({ value: { kind: 'made' } });
  git('reset', '-q', '--hard', 'HEAD~2');
  write('a.txt', 'a.txt\n\n\n\n\n\nfar\n');
  commitAll(kit.project, 'the same file, far away');
  git('checkout', '-q', '-b', 'near');
  write('a.txt', 'near\n\n\n\n\n\nfar\n');
  const near = { ...wanted(), id: 'U1/1/2', commit: commitAll(kit.project, 'near') };
  git('checkout', '-q', 'main');
  write('a.txt', 'a.txt\n\n\n\n\n\nfarther\n');
  commitAll(kit.project, 'the same file again');
  expect(await merges.merge(near)).toMatchObject({ value: { kind: 'moved', conflicts: [] } });
  expect(git('show', 'HEAD:a.txt')).toBe('a.txt\n\n\n\n\n\nfarther');
});
