import { Harness, task } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import { repromptLabel } from './ports';

const file = (name: string) => ({ path: `/project/${name}`, name, mime: 'text/plain', bytes: 3 });
const files = { 'brief.md': file('brief.md'), 'style.md': file('style.md') };
const prompts = (harness: Harness) => harness.agents.sent.map(({ request }) => request.prompt);
const only = (harness: Harness) => harness.state().activations[1];

test('Files of a re-prompt are sent with its turn only, and those of the instruction with the first', async () => {
  const harness = new Harness();
  const config = {
    attachments: ['brief.md'],
    re_prompts: [{ text: 'Mind the style.', attachments: ['style.md'] }, 'Finish it.'],
  };
  await harness.run({ steps: [task('draft', config)] }, { files });
  const sent = harness.agents.sent.map(({ request }) => request.attachments.map(({ name }) => name));
  expect(sent).toEqual([['brief.md'], ['style.md'], []]);
});

test('A file that both the step and the request attach goes along once', async () => {
  const harness = new Harness();
  const steps = [
    task('draft', { attachments: ['brief.md'] }),
    {
      id: 'build',
      type: 'step.coding',
      config: {
        instruction: 'build',
        attachments: ['brief.md'],
        agents: [{ role: 'builder', acp_profile_id: 'fake' }],
      },
    },
  ];
  await harness.run({ steps }, { files, attachments: [file('brief.md'), file('style.md')] });
  const sent = harness.agents.sent.map(({ request }) => request.attachments.map(({ name }) => name));
  expect(sent).toEqual([
    ['brief.md', 'style.md'],
    ['brief.md', 'style.md'],
  ]);
});

test('A re-prompt repeats nothing of the first prompt: neither the context of the project nor any input', async () => {
  const harness = new Harness();
  const steps = [task('first'), task('draft', { re_prompts: ['Review it.', 'Finish it.'] })];
  const cables = [{ from: 'first.data_out', to: 'draft.data_in' }];
  await harness.run({ steps, cables }, { projectContext: 'Write plainly.', instruction: 'Be quick.' });
  expect(prompts(harness)[1]).toContain('## Project context\nWrite plainly.');
  expect(prompts(harness).slice(2)).toEqual(['Review it.', 'Finish it.']);
});

test('More re-prompts than the editor adds are all sent', async () => {
  const harness = new Harness();
  const re_prompts = Array.from({ length: 12 }, (_, index) => `again ${index}`);
  await harness.run({ steps: [task('draft', { re_prompts })] });
  expect(prompts(harness)).toEqual(['do draft', ...re_prompts]);
  expect(only(harness)?.receipt).toMatchObject({ re_prompt_count: 12, responses: 13 });
});

test('A failed re-prompt fails the step, keeps the responses, and is resumed from there in the same session', async () => {
  const harness = new Harness();
  let broken = true;
  harness.agents.answer = ({ request }) =>
    request.prompt === 'Review it.' && broken
      ? { outcome: 'failed', stopReason: 'broken' }
      : { response: `<${request.prompt}>` };
  await harness.run({ steps: [task('draft', { re_prompts: ['Review it.', 'Finish it.'] })] });
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'failed' });
  expect(harness.state().turns[1]?.response).toBe('<do draft>');
  broken = false;
  const resumed = { type: 'run.resumed' as const, by: 'test', activationIds: [1] };
  await harness.engine.command(1, () => ({ ok: true, value: [resumed] }));
  await harness.idle();
  expect(prompts(harness)).toEqual(['do draft', 'Review it.', 'Review it.', 'Finish it.']);
  expect(new Set(harness.agents.sent.map(({ spec }) => spec.key)).size).toBe(1);
  expect(only(harness)?.outputs.data_out?.content).toMatchObject({ response_count: 3 });
});

test('A cancelled re-prompt cancels the step, and the responses so far stay in the run', async () => {
  const harness = new Harness();
  harness.agents.answer = ({ request }) => (request.prompt === 'Review it.' ? null : { response: 'first' });
  await harness.run({ steps: [task('draft', { re_prompts: ['Review it.'] })] });
  await harness.cancel();
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'cancelled' });
  expect(only(harness)).toMatchObject({ outcome: 'cancelled', signals: [] });
  expect(harness.state().turns[1]).toMatchObject({ status: 'completed', response: 'first' });
});

test.each([
  ['Review your work', 0, '📄 "Review your work"'],
  ['x'.repeat(30), 0, `📄 "${'x'.repeat(30)}"`],
  ['x'.repeat(31), 0, '📄 Re-prompt 1'],
  ['Two\nlines', 1, '📄 Re-prompt 2'],
])('The port of the re-prompt %j is named after its text where that is short', (text, index, label) => {
  expect(repromptLabel(text, index)).toBe(label);
});
