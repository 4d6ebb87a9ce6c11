import { readWhole } from '@areas/workflows/core/reference/values';
import { fail } from '@contract/result';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gate, Harness, task } from '../testing/harness';

const signal = (from: string, to: string) => ({ from: `${from}.signal_out`, to: `${to}.signal_in` });
const promptOf = (harness: Harness, start: string) =>
  harness.agents.sent.find((turn) => turn.request.prompt.startsWith(start))?.request.prompt;

/** Two steps in a row; the second refers to the first. */
async function runTwo(
  output: string,
  instruction: string,
  more: { instruction?: string; baseBranch?: null } = {},
) {
  const harness = new Harness();
  harness.agents.answer = ({ request }) => ({ response: request.prompt === 'do a' ? output : 'done' });
  await harness.run(
    { steps: [task('a'), task('b', { instruction })], cables: [{ from: 'a.data_out', to: 'b.data_in' }] },
    more,
  );
  return harness;
}

const instructionOf = (prompt: string | undefined) => prompt?.split('\n\n## Input')[0];

describe('references in a run', () => {
  test('the output of a step is inserted into the prompt of the next one', async () => {
    const harness = await runTwo('the plan', 'Use $a.output now.');
    expect(instructionOf(promptOf(harness, 'Use'))).toBe('Use the plan now.');
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('the texts are frozen in the commit of the start, and a replay needs nothing else', async () => {
    const harness = await runTwo('the plan', 'Use $a.output now.');
    const events = harness.events();
    const at = events.findIndex((event) => event.type === 'activation.expanded');
    expect(events.slice(at - 1, at + 1)).toMatchObject([
      { type: 'activation.started', stepId: 'b' },
      { type: 'activation.expanded', texts: { instruction: 'Use the plan now.' }, warnings: [] },
    ]);
  });

  test.each([
    ['prose', '$a.output.summary', 'reference.not_json'],
    ['[1]', '$a.output.summary', 'reference.not_json'],
    ['{"x": 1}', '$a.output.summary', 'reference.missing_field'],
    ['{"x": 1}', '$a.output.toString', 'reference.missing_field'],
  ])('with the output %j the reference %s fails its step', async (output, reference, code) => {
    const harness = await runTwo(output, `Use ${reference}`);
    expect(harness.state().activations[2]).toMatchObject({
      outcome: 'failed',
      error: { code, mend: expect.any(String) },
    });
    expect(harness.agents.sent).toHaveLength(1);
    expect(harness.state().outcome).toBe('failed');
  });

  test('a field of a step that does not exist is refused before the run', async () => {
    await expect(runTwo('', 'Use $nope.output.x')).rejects.toThrow('there is no step "nope"');
    const values = {
      step: () => null,
      variable: () => null,
      input: () => null,
      read: () => fail('not_found', ''),
    };
    const reference = { kind: 'output', step: 'nope', field: 'x', previous: false } as const;
    expect(readWhole(reference, values)).toMatchObject({ error: { code: 'reference.unknown_step' } });
  });

  test('a reference to a step that does not exist is empty, with a warning', async () => {
    const harness = await runTwo('x', 'Use "$nonexistent.output".');
    expect(instructionOf(promptOf(harness, 'Use'))).toBe('Use "".');
    expect(harness.state().activations[2]?.warnings).toEqual([
      '$nonexistent.output: there is no step "nonexistent", so it is empty',
    ]);
  });

  test.each([
    ['{"summary": "short"}', 'short'],
    ['```json\n{"summary": "short"}\n```', 'short'],
    ['{"summary": 12345678901234567890}', '12345678901234567890'],
    ['{"summary": 85.0, "summary2": 1}', '85.0'],
    ['{"summary": {"a": [1, "x y"]}}', '{"a":[1,"x y"]}'],
    ['{"a": {"summary": 1}, "summary": [ ]}', '[]'],
    ['{"summary": false}', 'false'],
    ['{"summary": null}', 'null'],
    ['{"summary": 1, "summary": {"b": 2}}', '{"b":2}'],
  ])('a reference to a field of the output %s becomes %s', async (output, expected) => {
    const harness = await runTwo(output, '> $a.output.summary <');
    expect(instructionOf(promptOf(harness, '>'))).toBe(`> ${expected} <`);
  });

  test('built-in variables are expanded in every text, re-prompts included, and names end at a border', async () => {
    const harness = new Harness();
    await harness.run(
      {
        steps: [
          task('a', { instruction: '$ARGUMENTS $ARGUMENTS_X $WORKFLOW_ID', re_prompts: ['$DOCS_DIR'] }),
        ],
      },
      { instruction: 'Go $a.output $ARGUMENTS' },
    );
    const prompts = harness.agents.sent.map((turn) => turn.request.prompt);
    expect(instructionOf(prompts[0])).toContain(
      `Go $a.output $ARGUMENTS $ARGUMENTS_X ${harness.state().uid}`,
    );
    expect(prompts[1]).toBe('docs/');
  });

  test('a base branch that is not known fails the step that reads it', async () => {
    const harness = await runTwo('x', 'Compare with $BASE_BRANCH.', { baseBranch: null });
    expect(harness.state().activations[2]).toMatchObject({
      outcome: 'failed',
      error: { code: 'reference.no_value', mend: expect.any(String) },
    });
    expect(harness.agents.sent).toHaveLength(1);
  });

  test('a field of an output of 10 MB is read, and so is one beside 10,000 levels', async () => {
    const long = 'x'.repeat(10_000_000);
    const harness = await runTwo(`{"more": "${long}", "summary": "short"}`, '> $a.output.summary <');
    expect(instructionOf(promptOf(harness, '>'))).toBe('> short <');
    const deep = `{"deep": ${'['.repeat(10_000)}${']'.repeat(10_000)}, "summary": "short"}`;
    const read = await runTwo(deep, '> $a.output.summary <');
    expect(instructionOf(promptOf(read, '>'))).toBe('> short <');
  });

  test('a backslash keeps a reference as it is written', async () => {
    const harness = await runTwo('x', 'a \\$a.output b \\\\$a.output c \\$HOME $5 $$');
    expect(instructionOf(promptOf(harness, 'a '))).toBe('a $a.output b \\x c \\$HOME $5 $$');
  });

  test('what an agent wrote is never expanded, in any text', async () => {
    const part = fc.constantFrom(
      ...['$a.output', '$ARGUMENTS', '\\', '$', '$&', '$`', "$'", '$1', '$(id)', '.output', '{', '}', '\n'],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(part, fc.string()), { maxLength: 8 }), async (parts) => {
        const output = `-${parts.join('')}`;
        const harness = await runTwo(output, '<$a.output>');
        expect(harness.state().activations[2]?.expanded?.texts).toEqual({ instruction: `<${output}>` });
      }),
      { numRuns: 30 },
    );
  });

  test('a gate shows its message with the references replaced', async () => {
    const harness = new Harness();
    harness.agents.answer = () => ({ response: '{"title": "Notes"}' });
    await harness.run({
      steps: [task('a'), gate('ok', { message: 'Publish $a.output.title?' })],
      cables: [signal('a', 'ok')],
    });
    expect(Object.values(harness.state().gates)[0]?.message).toBe('Publish Notes?');
  });

  test('a step whose reference failed is expanded again when the run is resumed', async () => {
    const harness = await runTwo('prose', 'Use $a.output.x');
    const resumed = { type: 'run.resumed' as const, by: 'test', activationIds: [2] };
    await harness.engine.command(1, () => ({ ok: true, value: [resumed] }));
    await harness.idle();
    expect(harness.events().filter((event) => event.type === 'activation.finished')).toHaveLength(3);
    expect(harness.state().outcome).toBe('failed');
  });
});

test('Agents and commands know the folder for files and the id of their run from their environment', async () => {
  const harness = new Harness();
  const own = { ARTIFACTS_DIR: '/elsewhere' };
  const run = { id: 'run', type: 'step.command', config: { script: 'make', env: own } };
  await harness.run({ steps: [task('ask'), run, { ...run, id: 'plain', config: { script: 'make' } }] });
  const told = { ARTIFACTS_DIR: '/artifacts/artifacts', WORKFLOW_ID: harness.state().uid };
  expect(harness.agents.opened.map(({ env }) => env)).toEqual([told]);
  expect(harness.commands.ran.map(({ env }) => env)).toMatchObject([{ ...told, ...own }, told]);
});
