import { expect, test } from 'vitest';
import { loopForecast, storyCosts } from '../contract/costs';
import { type Deed, failing, LoopHarness, passed } from './testing/loop';

const used = (deed: Deed, tokens: number | null, cost: number | null): Deed => ({
  ...deed,
  end: {
    usage: { input_tokens: null, output_tokens: null, total_tokens: tokens, cost_usd: cost },
  },
});

async function looped(...deeds: Deed[]): Promise<LoopHarness> {
  const harness = new LoopHarness(['A', 'B', 'C', 'D', 'E']);
  harness.deeds = [...deeds, { hang: true }];
  await harness.loop({ iterations: 9 });
  return harness;
}

test('a story costs what all of its attempts cost, the failed ones too', async () => {
  const harness = await looped(
    used(failing, 100, 0.5),
    used(passed('A'), 300, 1),
    used(passed('B'), 50, null),
  );
  expect(storyCosts(harness.state(), harness.state1)).toMatchObject([
    { storyId: 'A', attempts: [1, 2], tokens: 400, costUsd: 1.5 },
    { storyId: 'B', attempts: [3], tokens: 50, costUsd: null },
    { storyId: 'C', attempts: [4], ms: 0, tokens: null, costUsd: null },
  ]);
});

test('the forecast is the open stories times the median attempt that has ended', async () => {
  const harness = await looped(used(failing, 100, 0.5), used(passed('A'), 300, 1), used(passed('B'), 50, 3));
  expect(loopForecast(harness.state(), harness.state1)).toMatchObject({
    stories: 3,
    attempts: 3,
    tokens: 300,
    costUsd: 3,
  });
});

test('the median of two attempts is the middle between them, and unreported costs are not known', async () => {
  const harness = await looped(used(passed('A'), 100, null), used(passed('B'), 300, null));
  expect(loopForecast(harness.state(), harness.state1)).toMatchObject({
    stories: 3,
    tokens: 600,
    costUsd: null,
  });
});

test('a forecast is not made before an attempt has ended, or where no story is open', async () => {
  const begun = await looped();
  expect(loopForecast(begun.state(), begun.state1)).toBeNull();
  const done = await looped(...['A', 'B', 'C', 'D', 'E'].map((id) => passed(id)));
  expect(loopForecast(done.state(), done.state1)).toBeNull();
});
