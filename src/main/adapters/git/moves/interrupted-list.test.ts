import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PausePoints } from '../../../core/ports/testing/pause-points';
import { Git } from '../command/git-command';
import { commitAll, git, Kit, write } from '../testing/kit';
import { gitCommand, pausedGit } from '../testing/paused-git';
import { CheckoutMoves, type Move } from './index';
import { MoveJournal } from './journal';

/** Two commits of which the second changes `a`; the first is checked out. */
function begin() {
  const kit = new Kit();
  kit.init('a', 'b');
  const from = git(kit.project, 'rev-parse', 'HEAD');
  write(kit.project, 'a', 'changed a\n');
  write(kit.project, 'b', 'changed b\n');
  const to = commitAll(kit.project);
  git(kit.project, 'reset', '-q', '--hard', from);
  const tip = (commit: string) => ({
    branch: 'refs/heads/main',
    commit,
    tree: git(kit.project, 'rev-parse', `${commit}^{tree}`),
  });
  const move: Move = { what: 'Merge the work of S1', kind: 'merge', index: null, from: null, to: tip(to) };
  return { kit, move, from: tip(from) };
}

// With the fault, the list waits for the change.
test('a change that this Muster is making is not listed as interrupted, and cannot be settled', {
  timeout: 10_000,
}, async () => {
  const { kit, move } = begin();
  const points = new PausePoints();
  const dir = join(kit.root, 'moves');
  const git = pausedGit(points);
  const moves = new CheckoutMoves({ dir, git });
  const writing = points.hold(gitCommand('read-tree'));
  onTestFinished(() => writing.release());
  const args = ['read-tree', '-m', '-u', 'HEAD', move.to.tree];
  const running = moves.run(new Git(kit.project, git), move, args);
  await writing.reached;
  const [entry] = await new MoveJournal(dir).all();
  expect(await moves.interrupted()).toEqual([]);
  expect(await moves.settle(entry?.id ?? '', 'roll_back')).toMatchObject({
    ok: false,
    error: { code: 'not_found' },
  });
  writing.release();
  await running;
  expect(await moves.interrupted()).toEqual([]);
});

test('a change waits for the git of an earlier core that still works in its checkout, and is made then', async () => {
  const { kit, move, from } = begin();
  const dir = join(kit.root, 'moves');
  const top = kit.project;
  const earlier = { ...move, what: 'An earlier change', to: from, from, version: 1 as const, id: 'earlier' };
  await new MoveJournal(dir).begin({
    ...earlier,
    top,
    gitDir: join(top, '.git'),
    kept: [],
    startedAt: Date.now(),
  });
  let looks = 3;
  const isMarked = async () => {
    looks -= 1;
    return looks > 0;
  };
  const args = ['read-tree', '-m', '-u', 'HEAD', move.to.tree];
  await new CheckoutMoves({ dir, isMarked }).run(new Git(top), move, args);
  expect(git(top, 'write-tree')).toBe(move.to.tree);
  expect(await new MoveJournal(dir).all()).toEqual([]);
});

test('a checkout that cannot be looked at does not end the list of the others', async () => {
  const { kit, move, from } = begin();
  const dir = join(kit.root, 'moves');
  const journal = new MoveJournal(dir);
  const entry = { ...move, version: 1 as const, from, kept: [], startedAt: Date.now() };
  const at = (id: string, top: string) => ({ ...entry, id, top, gitDir: join(top, '.git') });
  const other = new Kit();
  other.init('a');
  // A tree that this repository does not have.
  const lost = { ...move.to, tree: '1'.repeat(40) };
  await journal.begin({ ...at('1-lost', other.project), to: lost });
  await journal.begin(at('2-killed', kit.project));
  write(kit.project, 'a', 'changed a\n');
  const listed = await new CheckoutMoves({ dir }).interrupted();
  expect(listed.map(({ id }) => id)).toEqual(['2-killed']);
});
