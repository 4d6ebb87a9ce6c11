import { notReturned, returnedBy } from '@contract/run/results/returned-output';
import { expect, test } from 'vitest';
import { Harness, task } from './testing/harness';

const cables = [{ from: 'a.data_out', to: 'b.data_in' }];

test('A run returns the output of the step that its workflow names', async () => {
  const harness = new Harness();
  const output_format = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  harness.agents.answer = () => ({ response: '```json\n{"n": 12345678901234567890}\n```' });
  await harness.run({ returns: 'a', steps: [task('a', {}, { output_format })] });
  expect(returnedBy(harness.state())).toEqual({
    step: 'a',
    kind: 'json',
    text: '{"n": 12345678901234567890}',
    form: 'text',
  });
});

test('A run returns the answer of an agent as Markdown', async () => {
  const harness = new Harness();
  harness.agents.answer = () => ({ response: '# Notes' });
  await harness.run({ returns: 'a', steps: [task('a')] });
  expect(returnedBy(harness.state())).toEqual({ step: 'a', kind: 'markdown', text: '# Notes', form: 'text' });
});

test('A run returns nothing where its step was skipped or failed', async () => {
  const harness = new Harness();
  harness.agents.answer = () => ({ outcome: 'failed' });
  await harness.run({ returns: 'b', steps: [task('a'), task('b')], cables });
  expect(returnedBy(harness.state())).toBeNull();
  await expect(new Harness().run({ returns: 'c', steps: [task('a')] })).rejects.toThrow(
    'there is no step "c"',
  );
});

test('A run that went through without the step that it returns says how that step ended', async () => {
  const harness = new Harness();
  harness.agents.answer = () => ({ response: 'no' });
  const send = task('send', {}, { when: "$a.output == 'yes'" });
  await harness.run({
    returns: 'send',
    steps: [task('a'), send],
    cables: [{ from: 'a.data_out', to: 'send.data_in' }],
  });
  const why = "was skipped: its condition is false: $a.output == 'yes'";
  expect(notReturned(harness.state())).toEqual({ step: 'send', why });
  const failed = new Harness();
  failed.agents.answer = () => ({ outcome: 'failed' });
  await failed.run({ returns: 'b', steps: [task('a'), task('b')], cables });
  expect(notReturned(failed.state())).toBeNull();
});

test('An input whose default has another type is refused before the run', async () => {
  const run = (definition: object) => new Harness().run({ steps: [task('a')], ...definition });
  await expect(run({ inputs: { times: { type: 'number', default: 'many' } } })).rejects.toThrow(
    'the default of the input "times" is not a number: many',
  );
});

test('With prompt: template the prompt is exactly the expanded text', async () => {
  const harness = new Harness();
  const config = { instruction: '  Only $a.output.\n', prompt: 'template' };
  await harness.run({ steps: [task('a'), task('b', config)], cables }, { projectContext: 'This is a shop.' });
  expect(harness.agents.sent[1]?.request.prompt).toBe(
    '  Only answer to: ## Project context\nThis is a shop.\n\ndo a.\n',
  );
});
