import type { ParsedInput } from '@contract/ipc';
import type { RunState } from '@contract/run/state';
import { double } from '@contract/testing/double';
import { FakeCore } from '@main/api/testing/fake-core';
import { EXIT } from '@main/cli/exit';
import { runProgram } from '@main/cli/program';
import { FakeLink } from '@main/cli/testing/fake-link';
import { fakeWorld } from '@main/cli/testing/fake-world';
import { row } from '@main/cli/testing/story';
import { INLINE_TEXTS } from '@main/core/ports/whole-texts';
import { expect, test } from 'vitest';
import { outputPage } from '../results/run-output';

const activation = (id: number, stepId: string, outputs: Record<string, unknown>) => ({
  id,
  stepId,
  finishedAt: id as number | null,
  outputs: Object.fromEntries(Object.entries(outputs).map(([port, content]) => [port, { content }])),
});

/** Prints a run's output for these activations, in pages of this many characters. */
async function program(activations: readonly { id: number }[], chars: number, ...args: string[]) {
  const state = { activations: Object.fromEntries(activations.map((one) => [one.id, one])) };
  const core = new FakeCore({
    'run.find': () => row,
    'run.output': ({ step = null, port = 'data_out', from = 0 }: Partial<ParsedInput<'run.output'>>) => {
      const page = outputPage(double<RunState>(state), INLINE_TEXTS, { step, port, from, chars });
      return page.ok ? page.value : page;
    },
    'run.text': ({ sha256, from = 0 }: ParsedInput<'run.text'>) => {
      const text = sha256.repeat(50);
      const to = Math.min(text.length, from + chars);
      return { text: text.slice(from, to), from, to, size: text.length, path: '/a' };
    },
  });
  const { world, said } = fakeWorld(['output', '1', ...args], new FakeLink(core));
  const written: string[] = [];
  let waits = 0;
  const out = {
    write: (text: string): boolean => {
      written.push(text);
      return false;
    },
    once: (event: string, done: () => void) => {
      if (event !== 'drain') return;
      waits += 1;
      setImmediate(done);
    },
  };
  const code = await runProgram({ ...world, out });
  return { code, err: said.err, text: written.join(''), written, waits, calls: core.calls };
}

test('a long output is asked for and written in pages, each when its reader took the one before', async () => {
  const text = `${'x'.repeat(999)}\u{1F600}`.repeat(20);
  const {
    code,
    text: told,
    written,
    waits,
    calls,
  } = await program([activation(1, 'a', { data_out: text })], 1_000);
  expect([code, told === text]).toEqual([EXIT.ok, true]);
  const longest = Math.max(...written.map(({ length }) => length));
  expect([waits, longest]).toEqual([written.length, 1_001]);
  expect(calls.map(({ name }) => name)).not.toContain('run.get');
});

test('an output that is no text is printed as JSON with a line end', async () => {
  const value = { list: Array.from({ length: 50 }, (_, index) => `entry ${index} \u009b`) };
  const { text } = await program([activation(1, 'a', { data_out: value })], 100);
  expect(JSON.parse(text)).toEqual(value);
  expect(text).not.toContain('\u009b');
  expect(text.endsWith('}\n')).toBe(true);
});

test('with --json a text is one JSON value, whatever its pages are', async () => {
  const { text } = await program([activation(1, 'a', { data_out: 'a "b"\nc'.repeat(99) })], 64, '--json');
  expect(JSON.parse(text)).toBe('a "b"\nc'.repeat(99));
});

test.each([
  [[], 'second b'],
  [['a.data_out'], 'third'],
  [['notes'], 'n'],
])('the arguments %j print the output of the step that ended last', async (args, wanted) => {
  const all = [
    { ...activation(1, 'a', { data_out: 'first', notes: 'n' }), finishedAt: 10 },
    { ...activation(2, 'b', { data_out: 'second b' }), finishedAt: 40 },
    { ...activation(3, 'a', { data_out: 'third' }), finishedAt: 30 },
    { ...activation(4, 'c', { data_out: 'unfinished' }), finishedAt: null },
  ];
  expect((await program(all, 1_024, ...args)).text).toBe(wanted);
});

test('an output that is not there is refused with those that are', async () => {
  const { code, err, text } = await program([activation(1, 'a', { data_out: 'x' })], 1_024, '__proto__');
  expect([code === EXIT.ok, text]).toEqual([false, '']);
  expect(err).toContain('the run has no output __proto__');
  expect(err).toContain('there are: a.data_out');
});

test('a large text is printed whole by its hash, as it is or as one JSON value', async () => {
  const sha256 = 'ab'.repeat(32);
  const plain = await program([], 1_000, '--text', sha256);
  expect([plain.code, plain.text]).toEqual([EXIT.ok, sha256.repeat(50)]);
  expect(plain.written.length).toBeGreaterThan(1);
  const quoted = await program([], 1_000, '--text', sha256, '--json');
  expect(JSON.parse(quoted.text)).toBe(sha256.repeat(50));
});
