import { failedAndAsks, runStatus } from '@contract/run/status';
import { expect, test } from 'vitest';
import { failing, LoopHarness, passed } from './testing/loop';

test('the operator\'s text at "Resume from here" reaches the next worker and only that one', async () => {
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

test('a run whose loop failed twice has failed while its question is open, and runs again once it is answered', async () => {
  const harness = new LoopHarness(['A']);
  harness.deeds = [failing, failing];
  await harness.loop();
  expect(harness.state().status).toBe('running');
  expect([runStatus(harness.state()), failedAndAsks(harness.state())]).toEqual(['failed', true]);
  harness.deeds = [{ hang: true }];
  await harness.answer('resume');
  expect([runStatus(harness.state()), failedAndAsks(harness.state())]).toEqual(['running', false]);
});

test('a run that has ended as failed asks nothing', async () => {
  const harness = new LoopHarness(['A']);
  harness.deeds = [failing, failing];
  await harness.loop();
  await harness.answer('leave');
  expect([runStatus(harness.state()), failedAndAsks(harness.state())]).toEqual(['failed', false]);
});
