import type { PermissionRequest } from '@areas/gates/contract/gate';
import { gateRow } from '@areas/gates/contract/testing/gate-row';
import { GateService } from '@areas/gates/node/gate-service';
import { double } from '@contract/testing/double';
import { Harness, task } from '@main/core/engine/testing/harness';
import type { PastRequest } from '@main/core/ports/rules';
import type { Store } from '@main/core/ports/store/store';
import { describe, expect, test } from 'vitest';
import type { PermissionRule, RuleDraft } from '../contract/rule';
import { PermissionRules, type PermissionRulesParts } from './permission-rules';

const request: PermissionRequest = {
  tool: 'edit',
  title: 'Edit notes.md',
  kind: 'edit',
  diffs: [],
  paths: ['/work/notes.md'],
  hash: 'h1',
};
const draft = (more: Partial<RuleDraft> = {}): RuleDraft => ({
  agent: '*',
  tool: 'edit',
  path: '*.md',
  command: null,
  effect: 'allow',
  reason: '',
  expires_at: null,
  scope: 'everywhere',
  run_id: null,
  project_id: null,
  ...more,
});

/** The store's part for rules, in memory. */
function fakeStore(past: readonly PastRequest[] = []) {
  const kept = new Map<string, PermissionRule>();
  const store: PermissionRulesParts['store'] = {
    rules: ({ removed, ids }) =>
      [...kept.values()].filter((rule) => ids?.includes(rule.id) ?? (removed || rule.removed_at === null)),
    rule: (id) => kept.get(id) ?? null,
    pastRequests: (limit) => past.slice(0, limit),
    addRule: (rule) => void kept.set(rule.id, { ...rule, removed_at: null, uses: 0, last_used_at: null }),
    changeRule: (id, change) => {
      const rule = kept.get(id);
      if (rule) kept.set(id, { ...rule, ...change });
    },
    run: (id) => (id === 1 ? ({ id } as ReturnType<Store['run']>) : null),
    project: (id) => (id === 1 ? ({ id } as ReturnType<Store['project']>) : null),
  };
  return { kept, store };
}

async function world(past: readonly PastRequest[] = []) {
  const harness = new Harness();
  const { kept, store } = fakeStore(past);
  let made = 0;
  let changes = 0;
  const rules = new PermissionRules({
    store,
    changed: () => {
      changes += 1;
    },
    clock: harness.clock,
    ids: { ulid: () => `R${++made}` },
    state: (runId) => harness.engine.live(runId)?.state ?? null,
  });
  harness.rules = rules;
  harness.log.keepRule = store.addRule;
  harness.agents.answer = () => null;
  await harness.run({ steps: [task('a')] });
  const gateOf = (runId: number, gateId: number) => {
    const gate = harness.engine.live(runId)?.state.gates[gateId];
    return gate === undefined ? null : gateRow(gate);
  };
  const gates = new GateService({
    engine: harness.engine,
    store: double<Store>({ gate: gateOf }),
    rules,
    state: () => null,
    confirm: async () => ({ ok: true, value: undefined }),
    changed: () => undefined,
  });
  const ask = async (asked = request) => {
    const answer = harness.agents.sent[0]?.ask(asked);
    await harness.idle();
    return { answer };
  };
  const resolve = async (option: string, rule?: RuleDraft, gateId = 1) => {
    const done = await gates.resolve({ runId: 1, gateId, answer: { option }, by: 'operator', rule });
    await harness.idle();
    return done;
  };
  return { harness, rules, kept, ask, resolve, changes: () => changes };
}

describe('allow by rule at a gate', () => {
  test('an answer by rule makes the given rule and allows, and from then on the rule answers', async () => {
    const { harness, kept, ask, resolve } = await world();
    const { answer } = await ask();
    expect(await resolve('allow_rule', draft())).toMatchObject({ ok: true });
    expect(await answer).toEqual({ allow: true, always: false, reason: null });
    expect(harness.state().gates[1]?.answer).toEqual({ option: 'allow_rule', rule: 'R1' });
    expect(kept.get('R1')).toMatchObject({ ...draft(), created_by: 'operator', created_at: 1_000 });
    const second = await ask({ ...request, hash: 'h2', paths: ['/work/other.md'] });
    expect(await second.answer).toMatchObject({ allow: true });
    expect(harness.state().gates[2]).toMatchObject({ by: 'rule R1', delivered: true });
  });

  test('an answer by rule makes the narrowest rule for the run where none was given', async () => {
    const { kept, ask, resolve } = await world();
    await ask();
    await resolve('allow_rule');
    expect(kept.get('R1')).toMatchObject({ agent: 'fake', path: 'notes.md', scope: 'run', run_id: 1 });
  });

  test('an answer by rule leaves no rule behind where the gate cannot be answered', async () => {
    const { harness, kept, ask, resolve } = await world();
    await ask();
    harness.log.failing = 1;
    expect(await resolve('allow_rule', draft())).toMatchObject({
      ok: false,
      error: { code: 'store.disk_full' },
    });
    expect(kept.size).toBe(0);
    await resolve('deny');
    expect(await resolve('allow_rule', draft())).toMatchObject({ error: { code: 'gate.already_resolved' } });
    expect(await resolve('allow_rule', draft(), 9)).toMatchObject({ error: { code: 'not_found' } });
    expect(kept.size).toBe(0);
  });

  test('a rule is not taken with another answer, nor one that denies, nor one that would have expired', async () => {
    const { harness, kept, ask, resolve } = await world();
    await ask();
    const invalid = { ok: false, error: { code: 'input.invalid' } };
    expect(await resolve('allow', draft())).toMatchObject(invalid);
    expect(await resolve('allow_rule', draft({ effect: 'deny' }))).toMatchObject(invalid);
    expect(await resolve('allow_rule', draft({ expires_at: 1_000 }))).toMatchObject(invalid);
    expect(await resolve('allow_rule', draft({ scope: 'run', run_id: 5 }))).toMatchObject({ ok: false });
    expect([kept.size, harness.state().gates[1]?.status]).toEqual([0, 'open']);
  });
});

describe('rules', () => {
  test('rules are matched as they are now: ended, removed and brought back', async () => {
    const { harness, rules } = await world();
    const context = { profileId: 'fake', projectId: 1, runId: 1, workspaceRoot: '/work', ownCheckout: false };
    const matched = () => rules.match(request, context)?.id ?? null;
    expect(matched()).toBeNull();
    rules.create(draft(), 'test');
    expect(matched()).toBe('R1');
    expect(rules.remove('R1')).toMatchObject({ ok: true, value: { removed_at: 1_000 } });
    expect(matched()).toBeNull();
    rules.update({ id: 'R1', removed: false });
    expect(matched()).toBe('R1');
    rules.update({ id: 'R1', expires_at: 1_500, reason: 'for now' });
    expect(matched()).toBe('R1');
    harness.clock.advance(500);
    expect(matched()).toBeNull();
    expect(rules.update({ id: 'R1', expires_at: null })).toMatchObject({ value: { reason: 'for now' } });
    expect(matched()).toBe('R1');
    expect(rules.remove('none')).toMatchObject({ error: { code: 'not_found' } });
  });

  test('rules are tried over history, with the answers of then', async () => {
    const past = (gateId: number, more: Partial<PastRequest> = {}): PastRequest => ({
      runId: 1,
      runName: 'test',
      gateId,
      agent: 'Fake',
      title: 'Edit',
      request,
      openedAt: 100 - gateId,
      profileId: 'fake',
      projectId: 1,
      workspaceRoot: '/work',
      ownCheckout: false,
      answer: { option: 'allow' },
      by: 'operator',
      ...more,
    });
    const other = { ...request, paths: ['/work/src/a.ts'] };
    const history = [
      past(1),
      past(2, { request: other }),
      past(3, { answer: { option: 'deny' } }),
      past(4, { answer: null }),
    ];
    const { rules } = await world(history);
    const run = (rule: RuleDraft, rows = 10) => rules.dryRun({ rule, limit: 100, rows });
    expect(run(draft({ expires_at: 1 }))).toMatchObject({ looked: 4, since: 96, answered: 3, against: 1 });
    expect(run(draft()).rows.map((row) => row.gateId)).toEqual([1, 3, 4]);
    expect(run(draft(), 1).rows).toEqual([
      expect.objectContaining({ gateId: 1, tool: 'edit', paths: ['/work/notes.md'], command: null }),
    ]);
    expect(run(draft({ effect: 'deny', path: null }))).toMatchObject({ answered: 4, against: 2 });
    expect(run(draft({ tool: 'none' }))).toMatchObject({ answered: 0, rows: [] });
  });
});

test('every client is told whenever there are other rules', async () => {
  const { rules, ask, resolve, changes } = await world();
  rules.create(draft(), 'operator');
  rules.update({ id: 'R1', reason: 'why' });
  rules.remove('R1');
  expect(changes()).toBe(3);
  await ask();
  await resolve('allow_rule', draft());
  expect(changes()).toBe(4);
});
