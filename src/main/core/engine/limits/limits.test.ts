import { appError } from '@contract/errors';
import { ok } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import { describe, expect, test } from 'vitest';
import { gate, Harness, task } from '../testing/harness';

describe('limits', () => {
  test('a limit waits for the reset that the provider told, over a restart, and sends again', async () => {
    const harness = new Harness();
    const limit = { outcome: 'limit' as const, stopReason: 'limit', limitResetsAt: 61_000 };
    harness.agents.answer = () => (harness.clock.time < 61_000 ? limit : { response: 'x' });
    await harness.run({ steps: [task('a')] });
    expect(harness.state().timers[1]).toMatchObject({ dueAt: 61_000, fired: false });
    await harness.restart();
    expect(harness.agents.sent).toHaveLength(1);
    harness.clock.advance(60_000);
    await harness.idle();
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a limit is asked about where the provider told no time, and where the agent is not logged in', async () => {
    const harness = new Harness();
    harness.agents.refuse = () => appError('agent.auth_required', 'not logged in', { mend: 'fake login' });
    await harness.run({ steps: [task('a')] });
    expect(harness.state().gates[1]).toMatchObject({ kind: 'login', message: 'fake login' });
    harness.agents.refuse = () => null;
    harness.agents.answer = () => ({ outcome: 'limit', stopReason: 'limit' });
    await harness.answer('resend');
    expect(harness.state().gates[2]).toMatchObject({ kind: 'provider_limit', status: 'open' });
    harness.agents.answer = () => ({ response: 'x' });
    await harness.answer('resend');
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a budget opens a gate before the prompt that would go over it', async () => {
    const harness = new Harness();
    const usage = { input_tokens: 60, output_tokens: 60, total_tokens: 120, cost_usd: null };
    harness.agents.answer = () => ({ response: 'x', usage });
    await harness.run({ budget: { tokens: 100 }, steps: [task('a', { re_prompts: ['r1', 'r2'] })] });
    expect(harness.agents.sent).toHaveLength(1);
    expect(harness.state().gates[1]).toMatchObject({
      kind: 'budget',
      message: expect.stringContaining('120 tokens'),
    });
    await harness.answer('raise');
    expect(harness.agents.sent).toHaveLength(2);
    await harness.answer('stop');
    expect(harness.state().outcome).toBe('cancelled');
  });

  test('a budget is asked about again when a run is taken up again that was stopped at its budget', async () => {
    const harness = new Harness();
    const usage = { input_tokens: 60, output_tokens: 60, total_tokens: 120, cost_usd: null };
    harness.agents.answer = () => ({ response: 'x', usage });
    await harness.run({ budget: { tokens: 100 }, steps: [task('a', { re_prompts: ['r1'] })] });
    await harness.answer('stop');
    const resumed: RunEvent = { type: 'run.resumed', by: 'test', activationIds: [1] };
    await harness.engine.command(1, () => ok([resumed]));
    await harness.idle();
    expect(harness.state()).toMatchObject({
      status: 'running',
      gates: { 2: { kind: 'budget', status: 'open' } },
    });
    await harness.answer('raise');
    expect(harness.agents.sent).toHaveLength(2);
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a budget allows the same again from what was used, however far over the budget that was', async () => {
    const harness = new Harness();
    const usage = { input_tokens: 450, output_tokens: 50, total_tokens: 500, cost_usd: null };
    const small = { input_tokens: 30, output_tokens: 30, total_tokens: 60, cost_usd: null };
    harness.agents.answer = ({ request }) => ({
      response: 'x',
      usage: request.prompt === 'do a' ? usage : small,
    });
    await harness.run({
      budget: { tokens: 100 },
      steps: [task('a', { re_prompts: ['r1', 'r2', 'r3'] })],
    });
    await harness.answer('raise');
    expect(harness.agents.sent).toHaveLength(3);
    expect(Object.values(harness.state().gates).at(-1)).toMatchObject({
      status: 'open',
      message: expect.stringContaining('Used: 620 tokens. Budget: 600 tokens.'),
    });
    await harness.answer('raise');
    expect(harness.state().outcome).toBe('succeeded');
  });

  const HOUR = 60 * 60_000;

  test('a budget counts the minutes in which something works, not those in which the run waits for the operator', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await harness.run({
      budget: { minutes: 60 },
      steps: [task('a', { re_prompts: ['r1'] }), gate('ok'), task('b')],
      cables: [
        { from: 'a.data_out', to: 'ok.data_in' },
        { from: 'ok.approved_out', to: 'b.data_in' },
      ],
    });
    const asked = harness.agents.sent[0]?.ask({
      tool: 'edit',
      title: 'e',
      kind: 'edit',
      diffs: [],
      hash: 'h',
    });
    await harness.idle();
    harness.clock.advance(8 * HOUR);
    await harness.answer('allow');
    await asked;
    harness.clock.advance(HOUR / 2);
    harness.agents.sent[0]?.end({ response: 'x' });
    await harness.idle();
    harness.agents.sent[1]?.end({ response: 'x' });
    await harness.idle();
    harness.clock.advance(8 * HOUR);
    await harness.answer('approve');
    expect(harness.agents.sent).toHaveLength(3);
    expect(harness.state().status).toBe('running');
  });

  test('a budget counts no minutes in which Muster was dead', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await harness.run({
      budget: { minutes: 60 },
      steps: [task('a', { re_prompts: ['r1'] }, { on_interrupt: 'retry' })],
    });
    harness.clock.advance(8 * HOUR);
    await harness.restart();
    expect(harness.state().turns[1]).toMatchObject({ status: 'interrupted', finishedAt: 1_000 + 8 * HOUR });
    harness.agents.sent.at(-1)?.end({ response: 'x' });
    await harness.idle();
    expect(harness.agents.sent.at(-1)?.request.prompt).toBe('r1');
    expect(Object.values(harness.state().gates)).toEqual([]);
  });

  test('a budget counts no minutes in which Muster was dead for any of the turns that were in flight', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    const retry = { on_interrupt: 'retry' };
    await harness.run({ budget: { minutes: 60 }, steps: [task('a', {}, retry), task('b', {}, retry)] });
    harness.clock.advance(HOUR / 2);
    const asked = { tool: 'edit', title: 'e', kind: 'edit', diffs: [], hash: 'h' };
    void harness.agents.sent[0]?.ask(asked);
    await harness.idle();
    const { at } = harness.state();
    harness.clock.advance(8 * HOUR);
    await harness.restart();
    const { turns } = harness.state();
    expect([turns[1]?.cutOffAfter, turns[2]?.cutOffAfter]).toEqual([at, at]);
    expect(harness.agents.sent).toHaveLength(4);
  });

  test('a budget counts what was worked until Muster was closed', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await harness.run({
      budget: { minutes: 60 },
      steps: [task('a', { re_prompts: ['r1'] }, { on_interrupt: 'retry' })],
    });
    harness.clock.advance(HOUR + 1);
    await harness.engine.park();
    harness.clock.advance(8 * HOUR);
    await harness.restartEngine();
    await harness.idle();
    expect(harness.state().gates[1]).toMatchObject({ kind: 'budget', status: 'open' });
  });

  test('a budget asks about the time once where a turn took many times the budget', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await harness.run({ budget: { minutes: 60 }, steps: [task('a', { re_prompts: ['r1', 'r2', 'r3'] })] });
    const take = async (turn: number, ms: number) => {
      harness.clock.advance(ms);
      harness.agents.sent[turn]?.end({ response: 'x' });
      await harness.idle();
    };
    await take(0, 8 * HOUR);
    expect(harness.state().gates[1]).toMatchObject({
      kind: 'budget',
      message: expect.stringContaining('Used: 480 min of work. Budget: 60 min.'),
    });
    harness.clock.advance(HOUR);
    await harness.answer('raise');
    await take(1, HOUR / 2);
    expect(harness.agents.sent).toHaveLength(3);
    await take(2, HOUR / 2);
    expect(harness.agents.sent).toHaveLength(3);
    expect(Object.values(harness.state().gates).at(-1)).toMatchObject({
      kind: 'budget',
      status: 'open',
      message: expect.stringContaining('Used: 540 min of work. Budget: 540 min.'),
    });
  });
});
