import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AppliedChange, ApplyHow } from '@contract/run/results/apply';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ApplyToMake } from '../../../core/ports/workspaces/apply-port';
import { type GitRunner, hereBy } from '../command/run-git';
import { commitAll, git as gitIn, Kit, movesBelow, must, write as writeIn } from '../testing/kit';
import { GitMerges } from './merge';

let kit: Kit;
let commit = '';
let start = '';
let merges: GitMerges;
const git = (...args: string[]) => gitIn(kit.project, ...args);
const write = (file: string, text: string) => writeIn(kit.project, file, text);
const read = (file: string) => readFileSync(join(kit.project, file), 'utf8');

/** The result has two commits: one file changed, one removed, one new. */
beforeEach(() => {
  kit = new Kit();
  kit.init('a.txt', 'gone.txt', 'mine.txt', 'staged.txt');
  start = git('rev-parse', 'HEAD');
  git('checkout', '-q', '-b', 'work');
  write('a.txt', 'changed\n');
  rmSync(join(kit.project, 'gone.txt'));
  commitAll(kit.project, 'first of two');
  write('new/made.txt', 'made\n');
  commit = commitAll(kit.project, 'second of two');
  git('checkout', '-q', 'main');
  merges = new GitMerges(movesBelow(kit.root));
});

const wanted = (how: ApplyHow, more: Partial<ApplyToMake> = {}): ApplyToMake => ({
  projectPath: kit.project,
  commit,
  how,
  id: 'U1/apply-run-x',
  message: 'Fix the login\n\nAs asked.',
  rehearsed: { target: 'main', targetCommit: git('rev-parse', 'HEAD') },
  ...more,
});

async function applied(how: ApplyHow, more: Partial<ApplyToMake> = {}): Promise<AppliedChange> {
  const made = must(await merges.apply(wanted(how, more)));
  if (made.kind !== 'made' || made.change === null) throw new Error(JSON.stringify(made));
  return made.change;
}

const undo = (change: AppliedChange) =>
  merges.undo({ projectPath: kit.project, change, what: 'Undo: Fix the login' });

/** Uncommitted changes, none of which Apply or an undo may touch. */
function operatorsOwn(): void {
  write('mine.txt', 'not committed\n');
  write('staged.txt', 'staged\n');
  git('add', 'staged.txt');
  write('staged.txt', 'staged, then edited\n');
  write('untracked.txt', 'untracked\n');
}
const OWN = ['M mine.txt', 'MM staged.txt', '?? untracked.txt'];
const status = () =>
  git('status', '--porcelain', '--untracked-files=all')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const expectOwn = () => {
  expect([read('mine.txt'), read('staged.txt'), git('show', ':staged.txt'), read('untracked.txt')]).toEqual([
    'not committed\n',
    'staged, then edited\n',
    'staged',
    'untracked\n',
  ]);
};

const expectNew = () => {
  expect([read('a.txt'), existsSync(join(kit.project, 'gone.txt')), read('new/made.txt')]).toEqual([
    'changed\n',
    false,
    'made\n',
  ]);
};

const expectOld = () => {
  expect([read('a.txt'), read('gone.txt'), existsSync(join(kit.project, 'new'))]).toEqual([
    'a.txt\n',
    'gone.txt\n',
    false,
  ]);
  expect(git('rev-parse', 'HEAD')).toBe(start);
  expect(git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
};

describe('each way of applying', () => {
  test('one commit has the given message, and none of the agents’ commits', async () => {
    operatorsOwn();
    const change = await applied('squash');
    expect(change).toMatchObject({ how: 'squash', branch: 'refs/heads/main', before: start });
    expect(git('log', '--format=%s', `${start}..`)).toBe('Fix the login');
    expect(git('log', '-1', '--format=%B')).toBe(
      'Fix the login\n\nAs asked.\n\nMuster-Merge: U1/apply-run-x',
    );
    expectNew();
    expect(status()).toEqual(OWN);
    expectOwn();
  });

  test('kept commits come in with a merge commit, also where a fast-forward was possible', async () => {
    operatorsOwn();
    const change = await applied('keep');
    expect(change).toMatchObject({ how: 'keep', before: start, after: git('rev-parse', 'HEAD') });
    expect(git('log', '--format=%s', '--topo-order', `${start}..`).split('\n')).toEqual([
      'Fix the login',
      'second of two',
      'first of two',
    ]);
    expect(git('rev-parse', 'HEAD^1', 'HEAD^2').split('\n')).toEqual([start, commit]);
    expectNew();
    expect(status()).toEqual(OWN);
  });

  test('files alone are staged, HEAD stays, and nothing of the operator changes', async () => {
    operatorsOwn();
    const change = await applied('files');
    expect(change).toMatchObject({ how: 'files', before: start, after: start });
    expectNew();
    expect(git('rev-parse', 'HEAD')).toBe(start);
    expect(git('diff', '--cached', '--name-status', '--no-renames').split('\n')).toEqual([
      'M\ta.txt',
      'D\tgone.txt',
      'A\tnew/made.txt',
      'M\tstaged.txt',
    ]);
    expectOwn();
  });

  test.each<ApplyHow>(['squash', 'keep', 'files'])(
    'applied as %s, a file of the operator in the way is named and nothing is touched',
    async (how) => {
      const sight = () => [status(), git('rev-parse', 'HEAD')];
      write('a.txt', 'mine\n');
      const edited = sight();
      expect(await merges.apply(wanted(how))).toMatchObject({
        ok: false,
        error: { code: 'conflict', message: expect.stringContaining('a.txt') },
      });
      expect(sight()).toEqual(edited);
      git('checkout', '-q', '--', 'a.txt');
      write('new/made.txt', 'mine, ignored\n');
      write('.git/info/exclude', 'new/\n');
      expect(await merges.apply(wanted(how))).toMatchObject({
        error: { code: 'conflict', message: expect.stringContaining('new/made.txt') },
      });
      expect(read('new/made.txt')).toBe('mine, ignored\n');
      expect(sight()).toEqual([[], start]);
    },
  );

  test.each<ApplyHow>(['squash', 'keep', 'files'])(
    'applied as %s and asked for again after a kill, it is found and not made twice',
    async (how) => {
      const request = wanted(how);
      const change = await applied(how);
      const head = git('rev-parse', 'HEAD');
      // The same holds where the operator asks for another way this time.
      for (const again of how === 'files' ? [how] : (['squash', 'keep', 'files'] as const))
        expect(must(await merges.apply({ ...request, how: again }))).toMatchObject({ kind: 'made', change });
      expect(git('rev-parse', 'HEAD')).toBe(head);
    },
  );

  test('what is already in the checkout is nothing to apply', async () => {
    git('merge', '-q', '--ff-only', 'work');
    for (const how of ['squash', 'keep', 'files'] as const)
      expect(must(await merges.apply(wanted(how)))).toMatchObject({ commit: null, change: null });
  });

  test('files that the operator had staged with the same content are said to be', async () => {
    write('a.txt', 'changed\n');
    git('add', 'a.txt');
    for (const how of ['files', 'squash'] as const)
      expect(must(await merges.apply(wanted(how)))).toMatchObject({ kind: 'made', staged: true });
  });
});

describe('the outlook', () => {
  const outlook = async () =>
    must(await merges.outlook({ projectPath: kit.project, commit, into: git('rev-parse', 'HEAD') }));

  test('the outlook lists the commits, and the operator’s files that are in the way', async () => {
    operatorsOwn();
    const { commits, ...others } = await outlook();
    expect(commits.map(({ subject, author }) => [subject, author])).toEqual([
      ['second of two', 'T'],
      ['first of two', 'T'],
    ]);
    expect(others).toEqual({ inTheWay: [], staged: false, commitCount: 2 });
    write('a.txt', 'mine\n');
    write('new/made.txt', 'mine\n');
    expect((await outlook()).inTheWay).toEqual(['a.txt', 'new/made.txt']);
  });

  test('a staged file with the same content is not in the way, and one with another is', async () => {
    write('a.txt', 'changed\n');
    git('add', 'a.txt');
    expect(await outlook()).toMatchObject({ inTheWay: [], staged: true });
    write('a.txt', 'other\n');
    git('add', 'a.txt');
    expect(await outlook()).toMatchObject({ inTheWay: ['a.txt'], staged: false });
  });
});

describe('undo', () => {
  test.each<ApplyHow>(['squash', 'keep', 'files'])(
    'what was applied as %s is undone whole, with every change of the operator kept',
    async (how) => {
      operatorsOwn();
      const change = await applied(how);
      const looked = merges.undoable({ projectPath: kit.project, change, what: 'x' });
      expect(must(await looked)).toEqual({ at: 'applied', files: 3 });
      expect(must(await undo(change))).toEqual({ at: 'applied', files: 3 });
      expectOld();
      expect(status()).toEqual(OWN);
      expectOwn();
      // Asked again after a kill between the effect and its event.
      expect(must(await undo(change))).toEqual({ at: 'undone', files: 3 });
      expect(await applied(how)).toMatchObject({ how, before: start });
      expectNew();
    },
  );

  test('an undo works in a checkout without a branch', async () => {
    git('checkout', '-q', '--detach');
    const target = `${start.slice(0, 12)} (no branch)`;
    const change = await applied('squash', { rehearsed: { target, targetCommit: start } });
    expect(change.branch).toBeNull();
    expect(must(await undo(change))).toMatchObject({ at: 'applied' });
    expect([git('rev-parse', 'HEAD'), git('rev-parse', 'main')]).toEqual([start, start]);
  });

  const refused = async (change: AppliedChange, why: RegExp) => {
    const before = [git('rev-parse', 'HEAD'), ...status()];
    expect(await undo(change)).toMatchObject({
      error: { code: 'conflict', message: expect.stringMatching(why), mend: expect.any(String) },
    });
    expect([git('rev-parse', 'HEAD'), ...status()]).toEqual(before);
  };

  test.each<ApplyHow>(['squash', 'keep', 'files'])(
    'what was applied as %s is not undone once the checkout has moved on',
    async (how) => {
      const change = await applied(how);
      write('other.txt', 'more\n');
      commitAll(kit.project, 'on from here');
      await refused(change, /main has moved on since/);
      expectNew();
    },
  );

  test.each<ApplyHow>(['squash', 'keep', 'files'])(
    'what was applied as %s is not undone where one of its files was edited, staged or removed since',
    async (how) => {
      const change = await applied(how);
      write('a.txt', 'changed, and more\n');
      await refused(change, /1 file was changed since: a\.txt/);
      git('add', 'a.txt');
      write('gone.txt', 'back\n');
      await refused(change, /2 files were changed since: a\.txt, gone\.txt/);
      expect([read('a.txt'), read('gone.txt')]).toEqual(['changed, and more\n', 'back\n']);
      write('a.txt', 'changed\n');
      await refused(change, /a\.txt, gone\.txt/);
      rmSync(join(kit.project, 'gone.txt'));
      git('add', 'a.txt');
      rmSync(join(kit.project, 'new/made.txt'));
      await refused(change, /new\/made\.txt/);
    },
  );

  test('nothing is undone on another branch, in the middle of a merge, or after a push', async () => {
    const change = await applied('squash');
    git('checkout', '-q', '-b', 'other');
    await refused(change, /Your checkout is on other now; this was applied to main/);
    git('checkout', '-q', 'main');
    write('.git/MERGE_HEAD', `${start}\n`);
    await refused(change, /unfinished merge/);
    rmSync(join(kit.project, '.git/MERGE_HEAD'));
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    await refused(change, /already pushed to origin\/main/);
    git('update-ref', '-d', 'refs/remotes/origin/main');
    git('reset', '-q', '--soft', 'HEAD^');
    await refused(change, /changed since|moved on/);
    git('reset', '-q', '--hard');
    expect(must(await undo(change))).toMatchObject({ at: 'undone' });
  });

  /** A git that commits something of the operator's right before a command. */
  const committingBefore = (name: string): GitRunner => {
    let done = false;
    const own = hereBy('git');
    const meanwhile = (args: readonly string[]) => {
      if (done || !args.includes(name)) return;
      done = true;
      write('mine.txt', 'committed meanwhile\n');
      git('commit', '-q', '-m', 'meanwhile', 'mine.txt');
    };
    return {
      whole: (start) => {
        meanwhile(start.args);
        return own.whole(start);
      },
      stream: (start, take) => {
        meanwhile(start.args);
        return own.stream(start, take);
      },
    };
  };

  test.each(['read-tree', 'update-ref'])(
    'a commit of the operator just before %s is kept, and the undo is refused whole',
    async (name) => {
      const change = await applied('squash');
      const overtaken = new GitMerges(movesBelow(kit.root), committingBefore(name));
      expect(await overtaken.undo({ projectPath: kit.project, change, what: 'Undo' })).toMatchObject({
        error: { code: 'conflict', message: expect.stringMatching(/Nothing was undone.*moved on/) },
      });
      expect(git('log', '--format=%s', '-2').split('\n')).toEqual(['meanwhile', 'Fix the login']);
      expectNew();
      expect(status()).toEqual([]);
      expect(await movesBelow(kit.root).interrupted()).toEqual([]);
    },
  );

  test.each(['finish', 'roll_back'] as const)(
    'an undo that was killed between files and HEAD blocks the checkout until the operator chooses to %s',
    async (how) => {
      operatorsOwn();
      const change = await applied('squash');
      const own = hereBy('git');
      let reached: () => void = () => undefined;
      const killed = new Promise<void>((resolve) => {
        reached = resolve;
      });
      const dying: GitRunner = {
        whole: (start) => {
          if (!start.args.includes('update-ref')) return own.whole(start);
          reached();
          return new Promise(() => undefined);
        },
        stream: (start, take) => own.stream(start, take),
      };
      const wanted = { projectPath: kit.project, change, what: 'Undo: Fix the login' };
      void new GitMerges(movesBelow(kit.root), dying).undo(wanted);
      await killed;
      const moves = movesBelow(kit.root);
      const next = new GitMerges(moves);
      expect(await next.undo(wanted)).toMatchObject({
        error: { code: 'conflict', message: expect.stringContaining('half changed') },
      });
      const [view] = await moves.interrupted();
      expect(view?.text).toContain('Undo: Fix the login');
      must(await moves.settle(view?.id ?? '', how));
      if (how === 'finish') expectOld();
      else expectNew();
      expect(must(await next.undo(wanted)).at).toBe(how === 'finish' ? 'undone' : 'applied');
      expectOld();
      expect(status()).toEqual(OWN);
      expectOwn();
    },
  );
});
