import type { GateState } from '@contract/run/state';
import { runStatus } from '@contract/run/status';
import { expect, test } from 'vitest';
import { Harness, task } from '../testing/harness';

/** A step with several prompts, each using this many tokens and half as many cents. */
async function spending(tokens: readonly number[], budget: Record<string, number>) {
  const harness = new Harness();
  const left = [...tokens];
  harness.agents.answer = () => {
    const total_tokens = left.shift();
    if (total_tokens === undefined) return null;
    const usage = { input_tokens: null, output_tokens: null, total_tokens, cost_usd: total_tokens / 200 };
    return { response: 'x', usage };
  };
  const re_prompts = [...tokens, 0].map((_, index) => `r${index}`);
  await harness.run({ budget, steps: [task('a', { re_prompts })] });
  return harness;
}
const told = (harness: Harness): GateState[] =>
  Object.values(harness.state().gates).filter(({ kind }) => kind === 'budget_near');

test('the operator is told once when 80 % of a budget is used, and the run goes on', async () => {
  const harness = await spending([70, 9, 1, 5, 5], { tokens: 100 });
  expect(told(harness)).toMatchObject([
    {
      status: 'open',
      activationId: null,
      message: expect.stringContaining('Used: 80 tokens. Budget: 100 tokens.'),
    },
  ]);
  expect(harness.agents.sent).toHaveLength(6);
  expect(runStatus(harness.state())).toBe('running');
});

test('a budget below 80 % is not reported', async () => {
  expect(told(await spending([70, 9], { tokens: 100 }))).toEqual([]);
});

test('one turn that uses the whole budget is asked about at once and not reported before', async () => {
  const harness = await spending([70, 40], { tokens: 100 });
  expect(Object.values(harness.state().gates)).toMatchObject([{ kind: 'budget', status: 'open' }]);
});

test('a notice of a budget is taken back when the budget is used up, and an answer to it stays', async () => {
  const open = await spending([85, 20], { tokens: 100 });
  expect(Object.values(open.state().gates)).toMatchObject([
    { kind: 'budget_near', status: 'withdrawn' },
    { kind: 'budget', status: 'open' },
  ]);
  const harness = await spending([85], { tokens: 100 });
  await harness.answer('keep', { gateId: told(harness)[0]?.id ?? 0 });
  expect(told(harness)).toMatchObject([{ status: 'resolved' }]);
});

test('a budget that is raised before its end is reported again at 80 % of the new limit', async () => {
  const harness = await spending([85], { tokens: 100 });
  await harness.answer('raise', { gateId: told(harness)[0]?.id ?? 0 });
  expect(told(harness)).toHaveLength(1);
  const usage = { input_tokens: null, output_tokens: null, total_tokens: 76, cost_usd: null };
  harness.agents.sent.at(-1)?.end({ response: 'x', usage });
  await harness.idle();
  expect(told(harness)[1]).toMatchObject({
    status: 'open',
    message: expect.stringContaining('Used: 161 tokens. Budget: 200 tokens.'),
  });
});

test('each measure of a budget is reported by itself', async () => {
  const harness = await spending([85], { tokens: 100, cost_usd: 0.5 });
  expect(told(harness).map(({ message }) => message.slice(0, 30))).toEqual([
    expect.stringContaining('Used: 85 tokens'),
    expect.stringContaining('Used: $0.4'),
  ]);
});

test('a restart tells nothing twice', async () => {
  const harness = await spending([85], { tokens: 100 });
  await harness.restart();
  expect(told(harness)).toHaveLength(1);
});
