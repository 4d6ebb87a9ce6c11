import type { InterruptedCheckout } from '@areas/projects/contract/procedures';
import { FakeCore } from '@main/api/testing/fake-core';
import { runProgram } from '@main/cli/program';
import { FakeLink } from '@main/cli/testing/fake-link';
import { fakeWorld } from '@main/cli/testing/fake-world';
import { expect, test } from 'vitest';

const one: InterruptedCheckout = {
  id: 'a1',
  what: 'Merge the work of S1',
  path: '/p',
  startedAt: 1_700_000_000_000,
  running: false,
  counts: { after: 1, before: 1, half: 1, yours: 0 },
  files: [
    { path: 'src/b.ts', state: 'half' },
    { path: 'src/a.ts', state: 'after' },
    { path: 'src/c.ts', state: 'before' },
  ],
  headMoved: false,
  locked: true,
  text: 'The checkout /p was left half changed.',
};

async function program(words: readonly string[], found: readonly InterruptedCheckout[]) {
  const core = new FakeCore({
    'checkout.interrupted': () => found,
    'checkout.settle': () => ({ text: 'Finished in /p.' }),
  });
  const { world, said } = fakeWorld(['checkout', ...words], new FakeLink(core));
  const code = await runProgram(world);
  const settled = core.calls.filter(({ name }) => name === 'checkout.settle').map(({ input }) => input);
  return { code, ...said, settled };
}

test('the list of interrupted changes has every file, and exits with 1 as long as there is one', async () => {
  const listed = await program([], [one]);
  expect(listed.code).toBe(1);
  expect(listed.out).toContain('half changed');
  expect(listed.out).toMatch(/incomplete +src\/b\.ts\n +new +src\/a\.ts\n +old +src\/c\.ts/);
  expect(await program([], [])).toMatchObject({ code: 0, out: 'No interrupted changes.\n' });
});

test('the only interrupted change, or the named one, is finished or rolled back', async () => {
  expect(await program(['finish'], [one])).toMatchObject({ code: 0, settled: [{ id: 'a1', how: 'finish' }] });
  const named = await program(['roll-back', 'b2'], [one, { ...one, id: 'b2' }]);
  expect(named.settled).toEqual([{ id: 'b2', how: 'roll_back' }]);
});

test('the command asks which change where several were interrupted, and refuses an unknown verb', async () => {
  const several = await program(['finish'], [one, { ...one, id: 'b2' }]);
  expect(several).toMatchObject({ code: 2, settled: [] });
  expect(several.err).toContain('Give the ID');
  expect((await program(['repair'], [one])).code).toBe(2);
  expect((await program(['finish'], [])).code).toBe(2);
});
