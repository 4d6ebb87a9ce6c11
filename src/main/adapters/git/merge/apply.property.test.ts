import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commitAll, git as gitIn, Kit, movesBelow, must, write as writeIn } from '../testing/kit';
import { GitMerges } from './merge';

/** Files that the result changes, removes and adds, and two that are the operator's alone. */
const TOUCHED = ['a.txt', 'gone.txt', 'new/made.txt'];
const OWN = ['mine.txt', 'other.txt'];

const path = fc.constantFrom(...TOUCHED, ...OWN);
const action = fc.oneof(
  fc.record({
    do: fc.constant('write' as const),
    path,
    text: fc.constantFrom('x\n', 'a.txt\n', 'changed\n'),
  }),
  fc.record({ do: fc.constant('remove' as const), path }),
  fc.record({ do: fc.constant('stage' as const), path: fc.constantFrom(...OWN, ...TOUCHED) }),
  fc.record({ do: fc.constantFrom('commit' as const, 'branch' as const, 'reset' as const) }),
);

test('whatever the operator does after Apply, an undo takes out exactly what it made, or changes nothing', async () => {
  const kit = new Kit();
  kit.init('a.txt', 'gone.txt', ...OWN);
  const git = (...args: string[]) => gitIn(kit.project, ...args);
  const start = git('rev-parse', 'HEAD');
  git('checkout', '-q', '-b', 'work');
  writeIn(kit.project, 'a.txt', 'changed\n');
  rmSync(join(kit.project, 'gone.txt'));
  writeIn(kit.project, 'new/made.txt', 'made\n');
  const commit = commitAll(kit.project, 'work');
  const merges = new GitMerges(movesBelow(kit.root));
  const contentOf = (file: string) =>
    existsSync(join(kit.project, file)) ? readFileSync(join(kit.project, file), 'utf8') : null;
  const sight = (files: readonly string[]) => [
    git('ls-files', '-s', '--', ...files),
    ...files.map((file) => contentOf(file)),
  ];
  const head = () => [git('rev-parse', 'HEAD'), git('symbolic-ref', 'HEAD')];
  const whole = () => [...head(), ...sight([...TOUCHED, ...OWN])];
  let turn = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('squash' as const, 'keep' as const, 'files' as const),
      fc.array(action, { maxLength: 3 }),
      async (how, actions) => {
        turn += 1;
        git('checkout', '-q', '-f', '-B', 'main', start);
        git('clean', '-fdq');
        const before = sight(TOUCHED);
        const rehearsed = { target: 'main', targetCommit: start };
        const wanted = {
          projectPath: kit.project,
          commit,
          how,
          id: `U/${turn}`,
          message: 'Apply',
          rehearsed,
        };
        const made = must(await merges.apply(wanted));
        if (made.kind !== 'made' || made.change === null) throw new Error(JSON.stringify(made));
        const [then, after] = [head(), sight(TOUCHED)];
        for (const one of actions) {
          if (one.do === 'write') writeIn(kit.project, one.path, one.text);
          else if (one.do === 'remove') rmSync(join(kit.project, one.path), { force: true });
          else if (one.do === 'stage') {
            const known = git('ls-files', '--', one.path) !== '' || contentOf(one.path) !== null;
            if (known) git('add', '-A', '--', one.path);
          } else if (one.do === 'commit') git('commit', '-q', '--allow-empty', '-m', 'mine');
          else if (one.do === 'branch') git('checkout', '-q', '-b', `b${turn}-${Math.random()}`);
          else git('reset', '-q', '--mixed');
        }
        const untouched = JSON.stringify([head(), sight(TOUCHED)]) === JSON.stringify([then, after]);
        const [all, own] = [whole(), sight(OWN)];
        const undone = await merges.undo({ projectPath: kit.project, change: made.change, what: 'Undo' });
        if (undone.ok && undone.value.at === 'applied') {
          expect(untouched).toBe(true);
          expect([head(), sight(TOUCHED)]).toEqual([[start, 'refs/heads/main'], before]);
          expect(sight(OWN)).toEqual(own);
        } else {
          expect(untouched).toBe(false);
          expect(whole()).toEqual(all);
        }
      },
    ),
    { numRuns: 100 },
  );
}, 300_000);
