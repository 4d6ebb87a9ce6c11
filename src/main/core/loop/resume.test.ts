import { expect, test } from 'vitest';
import { failing, LoopHarness, passed } from './testing/loop';

test('what the operator says at "Resume from here" reaches the next worker and only that one', async () => {
  const harness = new LoopHarness(['A', 'B']);
  harness.deeds = [failing, failing];
  await harness.loop();
  harness.deeds = [passed('A'), passed('B')];
  await harness.answer('resume', { text: 'Use port 0.' });
  const prompts = harness.agents.sent.map(({ request }) => request.prompt);
  expect(prompts[2]).toContain('## From the operator\nUse port 0.');
  expect(prompts[3]).not.toContain('Use port 0.');
  expect(harness.state().outcome).toBe('succeeded');
});

test('a hint given with the resumption of an ended run reaches the next worker', async () => {
  const harness = new LoopHarness(['A']);
  harness.deeds = [{ say: 'Result: blocked' }];
  await harness.loop();
  await harness.answer('stop');
  harness.deeds = [passed('A')];
  await harness.resume('Look at the README.');
  expect(harness.agents.sent[1]?.request.prompt).toContain('## From the operator\nLook at the README.');
});
