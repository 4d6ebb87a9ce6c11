import { FakeCore } from '@main/api/testing/fake-core';
import { runRow } from '@main/api/testing/run-row';
import { runProgram } from '@main/cli/program';
import { FakeLink } from '@main/cli/testing/fake-link';
import { fakeWorld } from '@main/cli/testing/fake-world';
import { expect, test } from 'vitest';

const change = { how: 'squash', branch: 'refs/heads/main', before: 'b', after: 'm', tree: 't' };
const row = runRow({ id: 1, name: 'Fix it' });
const result = {
  workspaceId: null,
  path: '/w',
  branch: 'muster/x',
  commit: 'c',
  base: 'b',
  files: 2,
  uncommitted: 0,
  includedIn: null,
  note: null,
  unread: null,
  unsettled: null,
  stepId: null,
  agent: null,
  address: null,
  state: 'applied',
};
const applied = { workspaceId: null, result: 'c', target: 'main', commit: 'abcdef0123456789', at: 3 };
const outcome = {
  kind: 'applied',
  target: 'main',
  commit: 'abcdef0123456789',
  files: 2,
  how: 'squash',
  result: { ...result, applied: { ...applied, change } },
};
const preview = {
  shown: 'c:b:main',
  target: 'main',
  files: 0,
  conflicts: [],
  inTheWay: ['mine.txt'],
  commits: [{ commit: 'c0ffee0123456789', author: 'A', subject: 'work' }],
  commitCount: 1,
  message: "Fix it\n\nFrom muster/x of Muster's run 1.",
};
const diff = { files: [], shown: 'c:b:main', live: true, path: '/p', branch: null, file: null, notes: [] };

async function program(words: readonly string[], applied: object = outcome) {
  const core = new FakeCore({
    'run.find': () => row,
    'run.apply': () => applied,
    'run.apply-preview': () => preview,
    'workspace.diff': () => ({ ...diff, unread: null }),
    'run.undo': () => ({ kind: 'undone', target: 'main', files: 2 }),
  });
  const { world, said } = fakeWorld(['apply', ...words], new FakeLink(core));
  const code = await runProgram(world);
  return {
    code,
    ...said,
    calls: core.calls.filter(({ name }) => !/^(?:run.find|system.status)$/.test(name)),
  };
}

test('a result is applied as one commit unless another way is named, and the undo is printed', async () => {
  const plain = await program(['1']);
  expect(plain).toMatchObject({
    code: 0,
    calls: [{ name: 'run.apply', input: { runId: 1, how: 'squash' } }],
  });
  expect(plain.out).toMatch(
    /^Applied to main as abcdef012345: 2 files changed\.\nUndo it: {2}muster apply 1 --undo/,
  );
  const ways = [
    [['--squash'], 'squash'],
    [['--keep', '--message', 'Fix the login'], 'keep'],
    [['--no-commit'], 'files'],
  ] as const;
  for (const [flags, how] of ways) {
    const { calls } = await program(['1', ...flags]);
    expect(calls).toMatchObject([{ input: { how, ...(how === 'keep' && { message: 'Fix the login' }) } }]);
  }
});

test('files without a commit are said to be staged, and a result that cannot be undone names no undo', async () => {
  const without = { ...result, applied: { ...applied, commit: null, change: null } };
  const staged = { ...outcome, how: 'files', commit: null, result: without };
  expect(await program(['1', '--no-commit'], staged)).toMatchObject({
    code: 0,
    out: 'Applied to your checkout of main: 2 files changed and staged.\n',
  });
});

test('an undo says what is as before', async () => {
  const undone = await program(['1', '--undo', '--step', 'build']);
  expect(undone).toMatchObject({
    code: 0,
    out: 'Undone: main is as before, 2 files changed back.\n',
    calls: [{ name: 'run.undo', input: { runId: 1, step: 'build' } }],
  });
});

test('a dry run shows target, message, commits and files in the way, and the command for exactly this', async () => {
  const shown = await program(['1', '--dry-run', '--keep']);
  expect(shown.code).toBe(0);
  expect(shown.out).toContain('Into main, with this message:\n  Fix it\n\n  From muster/x');
  expect(shown.out).toContain('With 1 commit:\n  c0ffee012345  work');
  expect(shown.out).toContain('Commit or stash your own changes first: mine.txt');
  expect(shown.out).toMatch(/muster apply 1 --keep --shown '?c:b:main/);
  expect(shown.calls.map(({ name }) => name)).not.toContain('run.apply');
});

test('flags that contradict each other are refused before anything is asked', async () => {
  for (const flags of [
    ['--keep', '--squash'],
    ['--no-commit', '--message', 'x'],
    ['--message', ' '],
    ['--undo', '--keep'],
    ['--undo', '--dry-run'],
  ])
    expect(await program(['1', ...flags])).toMatchObject({ code: 2, calls: [] });
});
