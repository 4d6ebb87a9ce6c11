import type { PermissionRules } from '@areas/permissions/node/permission-rules';
import { double } from '@contract/testing/double';
import type { Engine } from '@main/core/engine/engine';
import { gate, Harness, task } from '@main/core/engine/testing/harness';
import type { Store } from '@main/core/ports/store/store';
import { expect, test } from 'vitest';
import type { GateRow } from '../contract/procedures';
import { gateRow } from '../contract/testing/gate-row';
import { GateService } from './gate-service';

async function world(step: object) {
  const harness = new Harness();
  harness.agents.answer = () => null;
  await harness.run({ steps: [step] });
  const found = (_: number, gateId: number): GateRow | null => {
    const gate = harness.state().gates[gateId];
    return gate === undefined ? null : gateRow(gate);
  };
  const gates = new GateService({
    engine: harness.engine,
    store: double<Store>({ gate: found }),
    // No answer here makes a rule.
    rules: {} as PermissionRules,
    state: () => null,
    confirm: async () => ({ ok: true, value: undefined }),
    changed: () => undefined,
  });
  const resolve = (answer: { option: string; reason?: string; text?: string }) =>
    gates.resolve({ runId: 1, gateId: 1, answer, by: 'operator' });
  return { harness, resolve };
}

test('a reject without a reason is refused from every client', async () => {
  const { harness, resolve } = await world(gate('ok'));
  for (const answer of [{ option: 'reject' }, { option: 'reject', reason: ' \n' }])
    expect(await resolve(answer)).toMatchObject({
      ok: false,
      error: { code: 'gate.bad_answer', message: '"Reject" needs a reason, and it is empty' },
    });
  expect(harness.state().gates[1]?.status).toBe('open');
  expect(await resolve({ option: 'reject', reason: 'shorter' })).toMatchObject({ ok: true });
  expect(harness.state().gates[1]?.answer).toEqual({ option: 'reject', reason: 'shorter' });
});

test('a gate that asks for a text refuses an answer without one, and takes one with it', async () => {
  const { harness, resolve } = await world(gate('ok', { capture_response: true }));
  for (const answer of [{ option: 'approve' }, { option: 'approve', text: ' \n\t' }])
    expect(await resolve(answer)).toMatchObject({
      ok: false,
      error: { code: 'gate.bad_answer', message: '"Send answer" needs a text, and it is empty' },
    });
  expect(harness.state().gates[1]?.status).toBe('open');
  expect(await resolve({ option: 'approve', text: 'Port 8080' })).toMatchObject({ ok: true });
  expect(harness.state().activations[1]?.outputs.approved_out).toMatchObject({
    content: 'Port 8080',
    kind: 'text',
  });
});

test('a permission is denied without a reason too', async () => {
  const { harness, resolve } = await world(task('a'));
  const request = { tool: 'edit', title: 'Edit', kind: 'edit', diffs: [], hash: 'h' };
  const answer = harness.agents.sent[0]?.ask(request);
  await harness.idle();
  expect(await resolve({ option: 'deny' })).toMatchObject({ ok: true });
  expect(await answer).toEqual({ allow: false, always: false, reason: null });
});

test('a gate that is put off is reported to its viewers', () => {
  let until: number | null = null;
  const told: [string, number | null][] = [];
  const gates = new GateService({
    engine: {} as Engine,
    rules: {} as PermissionRules,
    store: double<Store>({
      snooze: (_run, _gate, at) => {
        until = at;
      },
      gate: () => ({ snoozedUntil: until }),
    }),
    state: () => null,
    confirm: async () => ({ ok: true, value: undefined }),
    changed: (runId, gateId) => told.push([`${runId}/${gateId}`, until]),
  });
  expect(gates.snooze(1, 2, 9_000)).toMatchObject({ ok: true, value: { snoozedUntil: 9_000 } });
  gates.snooze(1, 2, null);
  expect(told).toEqual([
    ['1/2', 9_000],
    ['1/2', null],
  ]);
});

test('Questions of one cause are answered one by one, and other or answered questions are named', async () => {
  const harness = new Harness();
  await harness.run({ steps: [gate('a'), gate('b'), gate('c'), gate('d')] });
  const causes = ['', 'same', 'same', 'other', 'same'];
  const row = (_: number, gateId: number): GateRow | null => {
    const found = harness.state().gates[gateId];
    return found === undefined ? null : gateRow(found, { cause: causes[gateId] ?? '' });
  };
  const gates = new GateService({
    engine: harness.engine,
    store: double<Store>({ gate: row }),
    rules: {} as PermissionRules,
    state: () => null,
    confirm: async () => ({ ok: true, value: undefined }),
    changed: () => undefined,
  });
  await gates.resolve({ runId: 1, gateId: 4, answer: { option: 'approve' }, by: 'someone' });
  const told = await gates.resolveAlike({
    gates: [1, 2, 3, 4, 9].map((gateId) => ({ runId: 1, gateId })),
    answer: { option: 'approve' },
    by: 'operator',
  });
  expect(told).toMatchObject({
    ok: true,
    value: {
      answered: [{ gateId: 1 }, { gateId: 2 }],
      refused: [
        { gateId: 3, error: { code: 'gate.bad_answer' } },
        { gateId: 4, error: { code: 'gate.already_resolved' } },
        { gateId: 9, error: { code: 'not_found' } },
      ],
    },
  });
  const status = (gateId: number) => harness.state().gates[gateId]?.status;
  expect([1, 2, 3, 4].map(status)).toEqual(['resolved', 'resolved', 'open', 'resolved']);
  // Each has its own event.
  const resolved = harness.events().filter(({ type }) => type === 'gate.resolved');
  expect(resolved).toHaveLength(3);
  expect(
    await gates.resolveAlike({
      gates: [{ runId: 1, gateId: 3 }],
      by: 'operator',
      answer: { option: 'allow_rule' },
    }),
  ).toMatchObject({ ok: false, error: { code: 'input.invalid' } });
});
