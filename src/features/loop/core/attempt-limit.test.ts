import type { PermissionRequest } from '@areas/gates/contract/gate';
import { describe, expect, test } from 'vitest';
import { type Deed, LoopHarness, passed } from './testing/loop';

const MINUTE = 60_000;
const request: PermissionRequest = { tool: 'sh', title: 'sh', kind: 'execute', diffs: [], hash: 'h1' };

async function working(deeds: readonly Deed[] = [], more: Record<string, unknown> = {}) {
  const harness = new LoopHarness(['A']);
  harness.deeds = [{ hang: true }, ...deeds];
  await harness.loop({ attempt_minutes: 2 }, more);
  return harness;
}
const pass = async (harness: LoopHarness, minutes: number) => {
  harness.clock.advance(minutes * MINUTE);
  await harness.idle();
};
const ask = async (harness: LoopHarness) => {
  const answer = harness.agents.sent.at(-1)?.ask(request);
  await harness.idle();
  return answer;
};
const see = async (harness: LoopHarness, state: 'waits' | 'working') => {
  harness.agents.sent.at(-1)?.seen({ state });
  await harness.idle();
};
const LIMIT = 'ended after 2 minutes, the limit of an attempt';

describe('the time limit of an attempt', () => {
  test('the time limit of an attempt does not run out while the worker waits for permission, and counts again from the answer', async () => {
    const harness = await working([passed('A')]);
    void ask(harness);
    await pass(harness, 600);
    expect(harness.results()).toEqual([]);
    expect(harness.openGate()).toMatchObject({ kind: 'permission', turnId: 1 });
    await harness.answer('allow');
    await pass(harness, 1.9);
    expect(harness.results()).toEqual([]);
    await pass(harness, 0.2);
    expect(harness.results()).toEqual(['1 failed A', '1 r1 completed A']);
    expect(harness.updates()[0]?.text).toContain(LIMIT);
  });

  test('the time limit of an attempt counts again also where the answer came before it ran out', async () => {
    const harness = await working([passed('A')]);
    void ask(harness);
    await pass(harness, 1.9);
    await harness.answer('deny', { reason: 'no' });
    await pass(harness, 1.9);
    expect(harness.results()).toEqual([]);
    await pass(harness, 0.2);
    expect(harness.results()[0]).toBe('1 failed A');
  });

  test('the time limit of an attempt goes on while a rule answers for the operator', async () => {
    const harness = await working([passed('A')]);
    harness.rules = {
      match: () => ({
        id: 'R1',
        agent: 'fake',
        tool: 'sh',
        path: null,
        command: null,
        effect: 'allow',
        reason: '',
        expires_at: null,
        scope: 'everywhere',
        run_id: null,
        project_id: null,
        created_at: 1,
        created_by: 'operator',
        removed_at: null,
        uses: 0,
        last_used_at: null,
      }),
    };
    await pass(harness, 1.9);
    expect(await ask(harness)).toMatchObject({ allow: true });
    await pass(harness, 0.2);
    expect(harness.results()[0]).toBe('1 failed A');
  });

  test('the time limit of an attempt counts again once a question at the terminal was answered, in any way', async () => {
    for (const aside of [false, true]) {
      const harness = await working([passed('A')]);
      await see(harness, 'waits');
      expect(harness.openGate()?.kind).toBe('terminal_question');
      await pass(harness, 60);
      if (aside) await harness.answer('leave');
      await pass(harness, 60);
      expect(harness.results()).toEqual([]);
      await see(harness, 'working');
      await pass(harness, 1.9);
      expect(harness.results()).toEqual([]);
      await pass(harness, 0.2);
      expect(harness.results()[0]).toBe('1 failed A');
    }
  });

  test('the time limit does not count a turn that was cut off and begun again with the operator’s text', async () => {
    const harness = await working([{ hang: true }], { on_interrupt: 'ask' });
    await harness.restart();
    expect(harness.openGate()?.kind).toBe('interrupted_turn');
    await pass(harness, 60);
    await harness.answer('continue');
    expect(harness.results()).toEqual([]);
    await pass(harness, 1.9);
    expect(harness.results()).toEqual([]);
    harness.checkout.do(passed('A'), 1);
    harness.agents.sent.at(-1)?.end({ response: 'Did A.' });
    await harness.idle();
    expect(harness.results()).toEqual(['1 completed A']);
  });

  test('the time limit is not the reason for an attempt that the operator stopped', async () => {
    const harness = await working();
    harness.agents.heeds = false;
    await harness.engine.command(1, () => ({
      ok: true,
      value: [{ type: 'turn.cancel-requested', turnId: 1, by: 'operator' }],
    }));
    await pass(harness, 3);
    harness.agents.sent[0]?.end({ outcome: 'cancelled', stopReason: 'cancelled' });
    await harness.idle();
    expect(harness.updates()[0]?.text).toContain('The attempt was stopped.');
    expect(harness.updates()[0]?.text).not.toContain(LIMIT);
  });
});
