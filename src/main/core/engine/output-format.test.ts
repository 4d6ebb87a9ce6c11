import { expect, test } from 'vitest';
import { Harness, task } from './testing/harness';

const output_format = {
  type: 'object',
  properties: { score: { type: 'number' }, note: { type: 'string' } },
  required: ['score'],
};
const VALID = '{"score": 85.0}';

/** `score` gives these answers in turn; `next` uses the result. */
async function scored(
  answers: readonly string[],
  instruction = 'Score: $score.output.score',
  config: object = {},
) {
  const harness = new Harness();
  const left = [...answers];
  harness.agents.answer = ({ request: { prompt } }) => ({
    response: prompt.startsWith('Score') ? 'used' : (left.shift() ?? 'nothing'),
  });
  await harness.run({
    steps: [task('score', { ...config }, { output_format }), task('next', { instruction })],
    cables: [{ from: 'score.signal_out', to: 'next.signal_in' }],
  });
  return harness;
}

/** Without the history sections, which repeat the same text. */
const prompts = (harness: Harness) =>
  harness.agents.sent.map(({ request }) => request.prompt.split('\n\n## ')[0] ?? '');

test('The schema is given with the last prompt of the chain, and the answer is checked', async () => {
  const harness = await scored(['first', VALID], undefined, { re_prompts: ['again'] });
  const [primary, again, next] = prompts(harness);
  expect(primary).toBe('do score');
  expect(again).toMatch(/^again\n\nEnd with your answer as JSON.*"score"/s);
  expect(next, 'the digits stay as they were written').toBe('Score: 85.0');
  expect(harness.state().activations[1]?.outputs.data_out?.content).toEqual({
    merged_content: `first\n───── Re-prompt 1 ─────\n${VALID}`,
    response_count: 2,
    has_re_prompts: true,
    output_json: VALID,
  });
});

test('An answer that is not valid is asked for once more in the same session, with the errors', async () => {
  const harness = await scored(
    ['{"score": "high"}', `Sorry:\n\`\`\`json\n${VALID}\n\`\`\``],
    'Score: $score.output',
  );
  const [, repair, next] = prompts(harness);
  expect(repair).toMatch(/- score: .*expected number.*Give the same answer in the right form.*"required"/s);
  expect(harness.agents.sent[1]?.spec.key).toBe(harness.agents.sent[0]?.spec.key);
  expect(next).toBe(`Score: ${VALID}`);
  expect(harness.state().outcome).toBe('succeeded');
  expect(harness.events().filter(({ type }) => type.startsWith('task.'))).toEqual([]);
});

test('An answer that is still not valid fails the step, and is kept', async () => {
  const harness = await scored(['prose', 'more prose', VALID]);
  const [score] = Object.values(harness.state().activations);
  expect(score).toMatchObject({
    outcome: 'failed',
    error: { code: 'step.output_invalid' },
    outputs: { data_out: { content: { merged_content: 'more prose' } } },
  });
  expect(prompts(harness)).toHaveLength(2);
  expect(harness.state().steps.next?.skipCause).toBe('upstream_failed');
});

test('A repair is a prompt under the cap of the step', async () => {
  const harness = await scored(['prose', VALID], undefined, { max_iterations: 1 });
  expect(harness.state().activations[1]?.error?.code).toBe('step.max_iterations');
  expect(prompts(harness)).toHaveLength(1);
});

test('A declared field that is absent is empty, and one that is not declared is refused before the run', async () => {
  expect(prompts(await scored([VALID], 'Score "$score.output.note"')).at(-1)).toBe('Score ""');
  await expect(scored([VALID], 'Score $score.output.points')).rejects.toThrow('declares no field "points"');
  const when = { when: '$score.output.points > 1' };
  const steps = [task('score', {}, { output_format }), task('next', {}, when)];
  const cables = [{ from: 'score.data_out', to: 'next.data_in' }];
  await expect(new Harness().run({ steps, cables })).rejects.toThrow('declares no field "points"');
});

test('The output of a command is checked too, and is not asked for again', async () => {
  const run = async (output: string) => {
    const harness = new Harness();
    harness.commands.answer = () => ({ output });
    const config = { script: 'score' };
    const score = { id: 'score', type: 'step.command', config, output_format };
    await harness.run({
      steps: [score, task('next', { instruction: 'Score: $score.output.score' })],
      cables: [{ from: 'score.signal_out', to: 'next.signal_in' }],
    });
    return harness;
  };
  expect(prompts(await run(`${VALID}\n`))).toEqual(['Score: 85.0']);
  expect((await run('no\n')).state().activations[1]?.error?.code).toBe('step.output_invalid');
});

test.each([
  [{ id: 'a', type: 'step.approval', config: { message: 'ok?' } }, 'has no output_format'],
  [task('a', { named_outputs: ['X'] }), 'either an output_format or named outputs'],
])('An output_format that nothing would check is refused', async (step, message) => {
  await expect(new Harness().run({ steps: [{ ...step, output_format }] })).rejects.toThrow(message);
});

test('A keyword that cannot be enforced is refused with its place', async () => {
  const steps = [task('a', {}, { output_format: { type: 'object', patternProperties: {} } })];
  await expect(new Harness().run({ steps })).rejects.toThrow(
    'the keyword "patternProperties" cannot be enforced',
  );
});
