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
