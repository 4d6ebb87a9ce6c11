import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { PausePoints } from '../../../core/ports/testing/pause-points';
import { Git, GitError } from '../command/git-command';
import { type GitRunner, hereBy } from '../command/run-git';
import { commitAll, git, Kit, must, write } from '../testing/kit';
import { gitCommand, pausedGit } from '../testing/paused-git';
import { CheckoutMoves, type Move } from './index';
import { MoveJournal } from './journal';

let kit: Kit;
let points: PausePoints;
let from = '';
let to = '';

const textOf = (file: string) =>
  existsSync(join(kit.project, file)) ? readFileSync(join(kit.project, file), 'utf8') : null;
const treeOf = (commit: string) => git(kit.project, 'rev-parse', `${commit}^{tree}`);
const tip = (commit: string) => ({ branch: 'refs/heads/main', commit, tree: treeOf(commit) });
const dir = () => join(kit.root, 'moves');

/** Two commits: the second changes `a` and `b`, adds `new` and deletes `gone`. */
function begin(): void {
  kit = new Kit();
  points = new PausePoints();
  kit.init('a', 'b', 'gone');
  from = git(kit.project, 'rev-parse', 'HEAD');
  for (const file of ['a', 'b', 'new']) write(kit.project, file, `changed ${file}\n`);
  rmSync(join(kit.project, 'gone'));
  to = commitAll(kit.project);
  git(kit.project, 'reset', '-q', '--hard', from);
}
beforeEach(begin);

const move = (): Move => ({
  what: 'Merge the work of S1',
  kind: 'merge',
  index: null,
  from: null,
  to: tip(to),
});

/** A merge of which git has written only `a` when it and Muster were killed. */
async function interrupted(more: Partial<Move> = {}): Promise<void> {
  const top = kit.project;
  const entry = { ...move(), ...more, version: 1 as const, id: 'killed', top, gitDir: join(top, '.git') };
  await new MoveJournal(dir()).begin({ ...entry, from: tip(from), kept: [], startedAt: Date.now() });
  write(kit.project, 'a', 'changed a\n');
}

const moves = () => new CheckoutMoves({ dir: dir(), git: pausedGit(points) });
/** The last thing before the files are written. */
const beforeWrites = () => points.hold(gitCommand('read-tree'));
/** After the files were looked at, before any of them is removed or written. */
const beforeRemovals = () => points.hold(gitCommand('rev-parse --path-format=absolute'), { skip: 3 });

test.each([
  ['finish', ['changed a\n', 'changed new\n', null]],
  ['roll_back', ['a\n', null, 'gone\n']],
] as const)('an interrupted change is settled whole: %s', async (how, texts) => {
  await interrupted();
  must(await moves().settle('killed', how));
  expect(['a', 'new', 'gone'].map(textOf)).toEqual(texts);
  expect(git(kit.project, 'status', '--porcelain')).toBe('');
});

test.each(['finish', 'roll_back'] as const)(
  'a file that the operator edits while the change is settled keeps their content: %s',
  async (how) => {
    await interrupted();
    const edited = how === 'finish' ? 'b' : 'a';
    const pause = beforeWrites();
    const settled = moves().settle('killed', how);
    await pause.reached;
    write(kit.project, edited, 'mine\n');
    pause.release();
    must(await settled);
    expect(textOf(edited)).toBe('mine\n');
    expect(git(kit.project, 'status', '--porcelain').trim()).toBe(`M ${edited}`);
  },
);

test('a folder that the operator makes in the place of a file while the change is settled is left alone', async () => {
  await interrupted();
  const pause = beforeWrites();
  const settled = moves().settle('killed', 'finish');
  await pause.reached;
  write(kit.project, 'new/mine', 'mine\n');
  pause.release();
  must(await settled);
  expect(textOf('new/mine')).toBe('mine\n');
});

test('a file that is to be removed and is edited meanwhile is not removed', async () => {
  await interrupted();
  const pause = beforeRemovals();
  const settled = moves().settle('killed', 'finish');
  await pause.reached;
  write(kit.project, 'gone', 'mine\n');
  pause.release();
  must(await settled);
  expect(textOf('gone')).toBe('mine\n');
});

/** Git that writes `a` of a merge, and is then killed. */
const killedGit = (): GitRunner => {
  const real = hereBy('git');
  return {
    stream: real.stream,
    whole: async (start) => {
      if (!start.args.includes('merge')) return real.whole(start);
      write(kit.project, 'a', 'changed a\n');
      throw new GitError('git merge was ended by SIGKILL', null, true);
    },
  };
};

test('a file that the operator had staged with its new content stays so when the change is rolled back', async () => {
  write(kit.project, 'b', 'changed b\n');
  git(kit.project, 'add', 'b');
  const killed = new CheckoutMoves({ dir: dir(), git: killedGit() });
  const project = new Git(kit.project, killedGit());
  await expect(killed.run(project, move(), ['merge', '--ff-only', to])).rejects.toThrow('SIGKILL');
  expect([textOf('a'), textOf('b')]).toEqual(['a\n', 'changed b\n']);
  expect(git(kit.project, 'status', '--porcelain').trim()).toBe('M  b');
  expect(await killed.interrupted()).toEqual([]);
});

test('a lock that is older than the change belongs to another git, and stays', async () => {
  await interrupted();
  const lock = join(kit.project, '.git', 'HEAD.lock');
  writeFileSync(lock, '');
  utimesSync(lock, new Date(0), new Date(0));
  expect(await moves().settle('killed', 'finish')).toMatchObject({ ok: false });
  expect(existsSync(lock)).toBe(true);
  rmSync(lock);
  must(await moves().settle('killed', 'finish'));
  expect(textOf('b')).toBe('changed b\n');
});

test('a branch that the operator switches to while a change of branch is settled stays checked out', async () => {
  git(kit.project, 'branch', 'work', to);
  await interrupted({ kind: 'branch', to: { ...tip(to), branch: 'refs/heads/work' } });
  const pause = points.hold(gitCommand('update-index -q --refresh'));
  const settled = moves().settle('killed', 'finish');
  await pause.reached;
  git(kit.project, 'branch', 'other', from);
  git(kit.project, 'symbolic-ref', 'HEAD', 'refs/heads/other');
  pause.release();
  expect(await settled).toMatchObject({
    error: { message: expect.stringContaining('HEAD of the checkout has moved on') },
  });
  expect(git(kit.project, 'symbolic-ref', 'HEAD')).toBe('refs/heads/other');
});

test('a lock that another git takes at the same moment is left alone when the change fails at it', async () => {
  const lock = join(kit.project, '.git', 'index.lock');
  const real = hereBy('git');
  const overtaken: GitRunner = {
    stream: real.stream,
    whole: (start) => {
      if (start.args.includes('merge')) writeFileSync(lock, '');
      return real.whole(start);
    },
  };
  const failed = new CheckoutMoves({ dir: dir(), git: overtaken });
  const project = new Git(kit.project, overtaken);
  await expect(failed.run(project, move(), ['merge', '--ff-only', to])).rejects.toThrow('index.lock');
  expect(existsSync(lock)).toBe(true);
  expect(textOf('a')).toBe('a\n');
});

const side = {
  finish: { a: 'changed a\n', b: 'changed b\n', new: 'changed new\n', gone: null, mine: null },
  roll_back: { a: 'a\n', b: 'b\n', new: null, gone: 'gone\n', mine: null },
};
type File = keyof (typeof side)['finish'];

test('whatever file the operator writes in the middle of a settlement is theirs, and the others are on one side', async () => {
  const property = fc.asyncProperty(
    fc.record({
      how: fc.constantFrom('finish' as const, 'roll_back' as const),
      file: fc.constantFrom<File>('a', 'b', 'new', 'gone', 'mine'),
      skip: fc.nat(24),
      dies: fc.boolean(),
    }),
    async ({ how, file, skip, dies }) => {
      begin();
      await interrupted();
      // Git itself writes files in no time: what comes between is lost.
      const pause = points.hold((call) => !gitCommand('checkout-index')(call), { skip });
      const settled = moves().settle('killed', how);
      await Promise.race([pause.reached, settled]);
      write(kit.project, file, 'mine\n');
      // The core dies in the pause, and the next one settles it.
      if (dies && pause.isReached) points = new PausePoints();
      else pause.release();
      must(await (dies && pause.isReached ? moves().settle('killed', how) : settled));
      const files = Object.keys(side.finish) as File[];
      expect(files.map(textOf)).toEqual(files.map((one) => (one === file ? 'mine\n' : side[how][one])));
      expect(await moves().interrupted()).toEqual([]);
    },
  );
  await fc.assert(property, { numRuns: 10 });
});
