import type { GateRow } from '@contract/gate/procedures';
import { expect, it } from 'vitest';
import { gate, Harness, task } from '../core/engine/testing/harness';
import type { Store } from '../core/ports/store';
import { GateService } from './gate-service';
import type { PermissionRules } from './permission-rules';

async function world(step: object) {
  const harness = new Harness();
  harness.agents.answer = () => null;
  await harness.run({ steps: [step] });
  const found = (_: number, gateId: number) => harness.state().gates[gateId] as unknown as GateRow;
  const gates = new GateService({
    engine: harness.engine,
    store: { gate: found } as unknown as Store,
    // No answer here makes a rule.
    rules: {} as PermissionRules,
  });
  const resolve = (answer: { option: string; reason?: string }) =>
    gates.resolve({ runId: 1, gateId: 1, answer, by: 'operator' });
  return { harness, resolve };
}

it('a reject without a reason is refused, whoever gives it', async () => {
  const { harness, resolve } = await world(gate('ok'));
  for (const answer of [{ option: 'reject' }, { option: 'reject', reason: ' \n' }])
    expect(await resolve(answer)).toMatchObject({
      ok: false,
      error: { code: 'gate.bad_answer', message: '"reject" needs a reason' },
    });
  expect(harness.state().gates[1]?.status).toBe('open');
  expect(await resolve({ option: 'reject', reason: 'shorter' })).toMatchObject({ ok: true });
  expect(harness.state().gates[1]?.answer).toEqual({ option: 'reject', reason: 'shorter' });
});

it('a permission is denied without a reason too', async () => {
  const { harness, resolve } = await world(task('a'));
  const request = { tool: 'edit', title: 'Edit', kind: 'edit', diffs: [], hash: 'h' };
  const answer = harness.agents.sent[0]?.ask(request);
  await harness.idle();
  expect(await resolve({ option: 'deny' })).toMatchObject({ ok: true });
  expect(await answer).toEqual({ allow: false, always: false, reason: null });
});
