import { readFileSync } from 'node:fs';
import { Harness, task } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import { panelPromptSet } from '../contract/prompts';

const prompts = Object.fromEntries(
  panelPromptSet.prompts.map(({ id, file }) => [id, readFileSync(`resources/prompts/panel/${file}`, 'utf8')]),
);
const agent = { acp_profile_id: 'fake' };
const participants = [
  { name: 'Ana', role: 'You look for risks.', ...agent },
  { name: 'Ben', ...agent },
];
const panel = (config: object = {}, more: object = {}) => ({
  id: 'p',
  type: 'step.panel',
  config: { topic: 'Tea or coffee?', participants, ...config },
  ...more,
});

async function discussed(config: object = {}, more: object = {}): Promise<Harness> {
  const harness = new Harness();
  let said = 0;
  harness.agents.answer = ({ request: { prompt } }) => {
    if (prompt.startsWith('do')) return { response: 'the menu' };
    said += 1;
    return { response: prompt.startsWith('You moderate') ? 'They agree.' : `word ${said}` };
  };
  await harness.run(
    { steps: [task('a'), panel(config, more)], cables: [{ from: 'a.data_out', to: 'p.data_in' }] },
    { prompts },
  );
  return harness;
}

const sent = (harness: Harness) => harness.agents.sent.slice(1).map(({ request }) => request.prompt);
const done = (harness: Harness) => harness.state().activations[2];

test('Each participant speaks once a round, in its own session, and hears what was said since', async () => {
  const harness = await discussed();
  const [ana, ben, anaAgain, benAgain] = sent(harness);
  expect(ana).toMatch(
    /^You are Ana, a participant in a panel with Ben\. You look for risks\..*Tea or coffee\?.*the menu/s,
  );
  expect(ana).not.toContain('What was said before you');
  expect(ben).toContain('### Ana, round 1\nword 1');
  expect(anaAgain).toMatch(/^Round 2 of 2\./);
  expect(anaAgain).toContain('### Ben, round 1\nword 2');
  expect(anaAgain).not.toContain('word 1');
  expect(benAgain).toContain('word 3');
  const keys = harness.agents.sent.slice(1).map(({ spec }) => spec.key);
  expect(keys[2]).toBe(keys[0]);
  expect(new Set(keys).size).toBe(2);
  const transcript = ['Ana, round 1', 'Ben, round 1', 'Ana, round 2', 'Ben, round 2']
    .map((who, at) => `### ${who}\nword ${at + 1}`)
    .join('\n\n');
  expect(done(harness)?.outputs).toMatchObject({
    data_out: { content: transcript },
    transcript_out: { content: transcript },
  });
});

test('A moderator concludes from the whole transcript, and the transcript stays an output of its own', async () => {
  const harness = await discussed({ rounds: 1, moderator: { instruction: 'Be brief.', ...agent } });
  expect(sent(harness)[2]).toMatch(/^You moderate.*Be brief\..*word 1.*word 2/s);
  expect(done(harness)?.outputs.data_out?.content).toBe('They agree.');
  expect(done(harness)?.outputs.transcript_out?.content).toContain('word 2');
});

test('A panel goes on where it was when Muster ends in the middle of a round', async () => {
  const harness = new Harness();
  harness.agents.answer = () => null;
  await harness.run({ steps: [panel({ rounds: 1 }, { on_interrupt: 'retry' })] }, { prompts });
  harness.agents.sent[0]?.end({ response: 'first' });
  await harness.idle();
  await harness.restart();
  harness.agents.sent.at(-1)?.end({ response: 'second' });
  await harness.idle();
  const last = harness.state().activations[1];
  expect(last?.outcome).toBe('succeeded');
  expect(last?.outputs.data_out?.content).toBe('### Ana, round 1\nfirst\n\n### Ben, round 1\nsecond');
});

test.each([
  [{ participants: [...participants, { name: 'ana', ...agent }] }, {}, 'two participants'],
  [{ participants: [...participants, { name: 'Moderator', ...agent }] }, {}, 'the moderator has this name'],
  [{}, { output_format: { type: 'object' } }, 'without a moderator'],
  [{ re_prompts: ['x'] }, {}, 're_prompts'],
])('The configuration %j is refused', async (config, more, message) => {
  await expect(discussed(config, more)).rejects.toThrow(message);
});
