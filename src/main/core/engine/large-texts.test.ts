import { evidencePieces } from '@areas/evidence/contract/evidence';
import { EVENT_TEXT_BYTES, WHOLE_TEXT_BYTES } from '@contract/limits';
import type { RunEvent } from '@contract/run/events';
import { type CutText, largeTextsIn } from '@contract/whole-text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gate, Harness, task } from './testing/harness';

const printing = (id: string, config: Record<string, unknown> = {}) => ({
  id,
  type: 'step.command',
  config: { script: `print ${id}`, ...config },
});
const after = (from: string, to: string, port = 'signal') => ({
  from: `${from}.${port}_out`,
  to: `${to}.${port}_in`,
});
const template = (instruction: string) => ({ prompt: 'template', instruction });

/** Commands named `print` print this; all others print their variables. */
function printer(output: string | CutText): Harness {
  const harness = new Harness();
  harness.commands.answer = (script) => ({ output: script.startsWith('print') ? output : 'done\n' });
  harness.agents.answer = () => ({ response: 'ok' });
  return harness;
}

/** A variable as the script finds it. */
function variable(harness: Harness, script: RegExp, name: RegExp): string {
  const spec = harness.commands.ran.find(({ spec }) => script.test(spec.script))?.spec;
  const files = Object.entries(spec?.envFiles ?? {}).map(
    ([key, path]) => [key, harness.textFiles.files.get(path.slice(-68, -4))] as const,
  );
  return [...Object.entries(spec?.env ?? {}), ...files].find(([key]) => name.test(key))?.[1] ?? '(nothing)';
}

const sizes = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.integer({ min: EVENT_TEXT_BYTES - 10, max: EVENT_TEXT_BYTES + 10 }),
  fc.integer({ min: EVENT_TEXT_BYTES, max: 5 * EVENT_TEXT_BYTES }),
);
const anyText = fc
  .tuple(fc.stringMatching(/^[ -~äß€😀\n]{1,9}$/u), sizes)
  .map(([part, bytes]) => part.repeat(Math.ceil(bytes / Buffer.byteLength(part))));

test('a text of any size comes through every reader as it was printed', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      const harness = printer(`${text}\n`);
      await harness.run({
        steps: [
          printing('a'),
          task('ask', template('[$a.output]')),
          task('given'),
          { id: 'script', type: 'step.command', config: { script: 'echo "$a.output"' } },
          gate('look'),
          {
            id: 'loop',
            type: 'step.workflow',
            config: {
              inputs: { text: '$a.output' },
              body: { steps: [task('in', template('<$INPUTS.text>'))] },
            },
          },
        ],
        cables: [
          after('a', 'ask'),
          after('a', 'given', 'data'),
          after('a', 'script', 'data'),
          after('a', 'look', 'data'),
          after('a', 'loop'),
        ],
      });
      const prompts = harness.agents.sent.map(({ request }) => request.prompt);
      expect(prompts.includes(`[${text}]`)).toBe(true);
      expect(prompts.includes(`<${text}>`)).toBe(true);
      expect(prompts.some((prompt) => prompt.includes(`## Input\n${text}`))).toBe(true);
      expect(variable(harness, /^echo/, /^MUSTER_REF_1$/) === text).toBe(true);
      expect(variable(harness, /^echo/, /^DATA_IN$/) === text).toBe(true);
      const [shown] = evidencePieces(Object.values(harness.state().gates)[0] ?? { evidence: null }, 'text');
      const large = shown?.large;
      expect(large === undefined ? (shown?.text ?? '') : harness.textFiles.files.get(large.sha256)).toBe(
        text,
      );
      if (large !== undefined) expect(shown?.text).toContain('not shown here');
      for (const event of harness.events()) expect(longest(event)).toBeLessThanOrEqual(EVENT_TEXT_BYTES);
    }),
    { numRuns: 12 },
  );
});

/** The longest text of an event, except for prompts, which are sent as they are. */
const longest = (event: RunEvent): number =>
  event.type === 'turn.dispatched'
    ? 0
    : Math.max(
        0,
        ...[...JSON.stringify(event).matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([text]) => text.length / 2),
      );

test('a field, a condition, a format and a list are read from an output of any size', async () => {
  const rows = Array.from({ length: 200 }, (_, n) => ({ n, name: `row number ${n} `.repeat(30) }));
  const harness = printer(`{"title": "T", "count": 9007199254740993, "rows": ${JSON.stringify(rows)}}`);
  await harness.run({
    max_parallel: 100,
    steps: [
      printing('a'),
      {
        ...printing('checked'),
        output_format: { type: 'object', properties: { title: { type: 'string' } } },
      },
      {
        ...task('ask', template('$a.output.title $a.output.count $checked.output.title')),
        when: "$a.output.title == 'T'",
      },
      {
        id: 'each',
        type: 'step.workflow',
        config: {
          for_each: { items: '$a.output.rows', max_parallel: 100 },
          body: { steps: [{ id: 'one', type: 'step.command', config: { script: 'echo $ITEM' } }] },
        },
      },
    ],
    cables: [after('a', 'checked'), after('checked', 'ask'), after('a', 'each')],
  });
  for (let left = 60; left > 0 && harness.state().status !== 'finished'; left -= 1) await harness.idle();
  const state = harness.state();
  expect(state.outcome).toBe('succeeded');
  expect(harness.agents.sent.map(({ request }) => request.prompt)).toEqual(['T 9007199254740993 T']);
  expect(harness.commands.ran.filter(({ script }) => script.startsWith('echo'))).toHaveLength(200);
});

test('an output above the limit for all fails its step, and names the size and the way out', async () => {
  const cut: CutText = { part: 'last', shown: 'the end\n', shownBytes: 8, totalBytes: WHOLE_TEXT_BYTES + 1 };
  const harness = printer(cut);
  await harness.run({ steps: [printing('a'), task('b')], cables: [after('a', 'b', 'data')] });
  expect(harness.state().outcome).toBe('failed');
  expect(harness.state().activations[1]).toMatchObject({
    outcome: 'failed',
    error: {
      code: 'step.output_too_large',
      message: 'the command printed 67.1 MB; an output is passed on whole up to 64 MiB',
      mend: expect.stringContaining('output_limit'),
    },
  });
});

const CUT: CutText = { part: 'first', shown: '{"a": 1}\n', shownBytes: 9, totalBytes: 10_000_000 };
const MARK = '[Cut: first 9 B of 10 MB]';

test('a cut output is shown with its mark by every reader that shows it', async () => {
  const harness = printer(CUT);
  await harness.run({
    steps: [
      printing('a', { output_limit: '1 KiB' }),
      task('ask', template('[$a.output]')),
      task('given'),
      { id: 'script', type: 'step.command', config: { script: 'read' } },
      gate('look', { message: 'Is it $a.output?' }),
    ],
    cables: [
      after('a', 'ask'),
      after('a', 'given', 'data'),
      after('a', 'script', 'data'),
      after('a', 'look', 'data'),
    ],
  });
  const prompts = harness.agents.sent.map(({ request }) => request.prompt);
  expect(prompts).toContain(`[{"a": 1}\n${MARK}]`);
  expect(prompts[1]).toContain(`## Input\n{"a": 1}\n${MARK}`);
  expect(variable(harness, /^read/, /^DATA_IN$/)).toBe(`{"a": 1}\n${MARK}`);
  const asked = Object.values(harness.state().gates)[0];
  expect([asked?.message, asked?.evidence]).toEqual([`Is it {"a": 1}\n${MARK}?`, `{"a": 1}\n${MARK}`]);
  expect(harness.state().activations[1]?.receipt.output_cut).toBe('first 9 B of 10 MB');
});

test.each([
  ['a script', { id: 'b', type: 'step.command', config: { script: 'echo "$a.output"' } }],
  ['a field', task('b', template('$a.output.a'))],
  ['a condition', { ...task('b'), when: "$a.output == 'x'" }],
  ['a field in a condition', { ...task('b'), when: '$a.output.a == 1' }],
  [
    'a list',
    {
      id: 'b',
      type: 'step.workflow',
      config: { for_each: { items: '$a.output' }, body: { steps: [task('c')] } },
    },
  ],
])('a cut output is refused by %s, with its sizes', async (_, step) => {
  const harness = printer(CUT);
  await harness.run({
    steps: [printing('a', { output_limit: '1 KiB' }), step],
    cables: [after('a', 'b')],
  });
  expect(harness.state().activations[2]).toMatchObject({
    outcome: 'failed',
    error: { code: 'reference.cut', message: expect.stringContaining('first 9 B of 10 MB') },
  });
  expect(harness.state().activations[3]).toBeUndefined();
});

test('a cut output is refused by its own output_format', async () => {
  const harness = printer(CUT);
  const output_format = { type: 'object', properties: { a: { type: 'number' } } };
  await harness.run({ steps: [{ ...printing('a', { output_limit: '1 KiB' }), output_format }] });
  expect(harness.state().activations[1]).toMatchObject({
    outcome: 'failed',
    error: { code: 'reference.cut' },
  });
});

test('a text whose file is gone fails the step that reads it, and nothing else', async () => {
  const harness = printer('x'.repeat(EVENT_TEXT_BYTES + 1));
  await harness.run({
    steps: [
      printing('a'),
      gate('wait'),
      task('ask', template('$a.output')),
      { id: 'other', type: 'step.command', config: { script: 'echo' } },
    ],
    cables: [after('a', 'wait'), after('wait', 'ask'), after('wait', 'other')],
  });
  harness.textFiles.files.clear();
  await harness.answer('approve');
  const ended = Object.values(harness.state().activations).map(({ stepId, outcome, error }) => [
    stepId,
    outcome,
    error?.code,
  ]);
  expect(ended).toEqual([
    ['a', 'succeeded', undefined],
    ['wait', 'succeeded', undefined],
    ['ask', 'failed', 'reference.unreadable'],
    ['other', 'succeeded', undefined],
  ]);
});

test('a large answer of an agent is passed on whole, and one above the limit for all fails its turn', async () => {
  const answer = 'word '.repeat(EVENT_TEXT_BYTES);
  const harness = new Harness();
  harness.agents.answer = ({ request }) => ({
    response: request.prompt.includes('do a') ? answer : 'y'.repeat(WHOLE_TEXT_BYTES + 1),
  });
  await harness.run({
    steps: [task('a'), task('b', template('[$a.output]'))],
    cables: [after('a', 'b')],
  });
  expect(harness.agents.sent[1]?.request.prompt === `[${answer}]`).toBe(true);
  expect(harness.state().turns[2]).toMatchObject({
    status: 'failed',
    error: { code: 'step.output_too_large' },
  });
  expect(largeTextsIn(harness.state().turns[1]).size).toBe(1);
});

test('a prompt that no agent could read fails its step before it is sent', async () => {
  const harness = printer('z'.repeat(17 * 2 ** 20));
  await harness.run({ steps: [printing('a'), task('b', template('$a.output'))], cables: [after('a', 'b')] });
  expect(harness.agents.sent).toEqual([]);
  expect(harness.state().activations[2]).toMatchObject({
    outcome: 'failed',
    error: { code: 'step.output_too_large', message: 'the prompt has 17 MiB; an agent gets at most 16 MiB' },
  });
});
