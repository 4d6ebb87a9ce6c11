import type { SpendBy } from '@areas/spend/contract/procedures';
import type { RunEvent } from '@contract/run/events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../../core/ports/store/store';
import { must, Place } from '../testing/place';
import { activation, session, started, Teller, turn, turnEnd } from '../testing/story';

let place: Place;
let store: Store;
let projectId: number;
beforeEach(() => {
  place = new Place();
  store = place.open();
  projectId = store.addProject('/projects/sample', 'sample', 1).id;
});
afterEach(() => place.remove());

const begin = (uid: string, name = 'sample') => started({ uid, projectId, name });

/** An answer with its reported usage; null: not reported. */
const used = (turnId: number, tokens: number | null, cost_usd: number | null): RunEvent => {
  const event = turnEnd(turnId, 'done', tokens);
  if (event.type !== 'turn.finished' || event.usage === null) return event;
  return { ...event, usage: { ...event.usage, cost_usd } };
};
const answer = (turnId: number, tokens: number | null, cost: number | null): RunEvent[] => [
  turn({ turnId, prompt: 'Write.' }),
  used(turnId, tokens, cost),
];

async function run(uid: string, more: readonly RunEvent[], { name = 'sample', at = 1_000 } = {}) {
  const teller = new Teller(store, at);
  must(await teller.tell(begin(uid, name), activation(1, 'write'), session(1, 1), ...more));
  return teller;
}

const ALL = { from: 0, before: null, projectId: null, limit: 100 } as const;
const by = (group: SpendBy, more: Partial<Parameters<Store['spend']>[0]> = {}) =>
  store.spend({ ...ALL, by: group, ...more });

test('a cost that no agent reported is unknown, not zero, and one that was reported as zero is zero', async () => {
  await run('unknown', [...answer(1, 100, null), ...answer(2, null, null)]);
  await run('free', answer(1, 10, 0));
  expect(by('run').rows).toMatchObject([
    { tokens: 10, costUsd: 0, costUnreported: 0, tokensUnreported: 0 },
    { tokens: 100, costUsd: null, costUnreported: 2, tokensUnreported: 1 },
  ]);
  expect(by('run').totals).toEqual({
    turns: 3,
    ms: 3,
    tokens: 110,
    costUsd: 0,
    tokensUnreported: 1,
    costUnreported: 2,
  });
  expect(store.spendTotals({ ...ALL, from: 5_000 })).toEqual({
    turns: 0,
    ms: null,
    tokens: null,
    costUsd: null,
    tokensUnreported: 0,
    costUnreported: 0,
  });
});

test('each grouping names what it adds up and leads to it', async () => {
  const { runId } = await run('one', answer(1, 10, 0.25));
  const of = (group: SpendBy) => by(group).rows[0];
  const file = '.muster/workflows/sample.yaml';
  expect(of('project')).toMatchObject({ label: 'sample', projectId });
  expect(of('workflow')).toMatchObject({ label: 'sample', detail: 'sample', projectId, file });
  expect(of('run')).toMatchObject({ label: 'sample', detail: 'sample', runId });
  expect(of('agent')).toMatchObject({ key: 'writer', label: 'Writer' });
  expect(of('model')).toMatchObject({ label: 'Default model of Writer' });
  expect(of('step')).toMatchObject({ label: 'Step write', detail: 'sample', file });
  expect(of('day')?.label).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test('all groupings of the same time add up to the same', async () => {
  await run('one', [...answer(1, 10, 0.25), ...answer(2, 20, null)]);
  await run('two', answer(1, 40, 0.5), { name: 'other', at: 200_000_000 });
  for (const group of ['day', 'project', 'workflow', 'run', 'agent', 'model', 'step'] as const) {
    const { rows, totals } = by(group);
    const sum = (of: 'turns' | 'tokens' | 'costUsd') => rows.reduce((all, row) => all + (row[of] ?? 0), 0);
    expect([group, sum('turns'), sum('tokens'), sum('costUsd')]).toEqual([group, 3, 70, 0.75]);
    expect(totals).toMatchObject({ turns: 3, ms: 3, tokens: 70, costUsd: 0.75, costUnreported: 1 });
  }
  expect(by('day').rows).toHaveLength(2);
  expect(by('day').rows[0]?.tokens).toBe(40);
});

test('a time, a project and a limit narrow the rows of spend, and the totals are those of all rows', async () => {
  await run('one', answer(1, 10, 1));
  await run('two', answer(1, 20, 2), { at: 50_000 });
  expect(by('run', { from: 40_000 }).rows.map(({ costUsd }) => costUsd)).toEqual([2]);
  expect(by('run', { before: 40_000 }).rows.map(({ costUsd }) => costUsd)).toEqual([1]);
  expect(by('run', { projectId: projectId + 1 })).toMatchObject({ rows: [], totals: { turns: 0 } });
  expect(by('run', { limit: 1 })).toMatchObject({
    rows: [{ costUsd: 2 }],
    more: true,
    totals: { costUsd: 3 },
  });
});

test('passes of a step are one step, and calls outside of turns count for the agent that made them', async () => {
  const usage = { input_tokens: 3, output_tokens: 4, total_tokens: null, cost_usd: 0.5 };
  const call: RunEvent = {
    type: 'rlm.call-answered',
    activationId: 2,
    turnId: 1,
    block: 0,
    batch: 0,
    index: 0,
    prompt: 'p',
    ok: true,
    answer: { sha256: 'a', path: 'calls/a', chars: 3 },
    model: 'small',
    usage,
    durationMs: 1,
  };
  await run('one', [
    ...[activation(2, 'write[1]/fix'), activation(3, 'write[2]/fix')],
    turn({ turnId: 1, activationId: 2, prompt: 'a' }),
    used(1, 10, 1),
    turn({ turnId: 2, activationId: 3, prompt: 'b' }),
    used(2, 10, 1),
    call,
  ]);
  expect(by('step').rows).toMatchObject([
    { label: 'Step write / fix', turns: 3, ms: 3, tokens: 27, costUsd: 2.5 },
  ]);
  expect(by('model').rows.map(({ label, tokens }) => [label, tokens])).toEqual([
    ['Default model of Writer', 20],
    ['small', 7],
  ]);
  expect(by('agent').rows).toMatchObject([{ label: 'Writer', costUsd: 2.5 }]);
});

test('a run in the bin was paid for too, and a purged one is gone', async () => {
  const teller = await run('one', [
    ...answer(1, 10, 1),
    { type: 'run.finished', outcome: 'succeeded', reason: null },
    { type: 'run.binned', by: 'operator' },
  ]);
  expect(by('run').totals.costUsd).toBe(1);
  store.purgeRun(teller.runId);
  expect(by('run')).toMatchObject({ rows: [], totals: { turns: 0, costUsd: null } });
});

test('runs that ended since a time are listed', async () => {
  const end: RunEvent = { type: 'run.finished', outcome: 'succeeded', reason: null };
  await run('early', [end]);
  await run('late', [end], { at: 9_000 });
  await run('goes on', [], { at: 9_500 });
  const { rows } = store.runs({ limit: 10, binned: false, endedSince: 5_000 });
  expect(rows.map(({ uid }) => uid)).toEqual(['late']);
});

const loopStep = {
  type: 'loop.plan-requested',
  activationId: 1,
  after: 0,
  folder: '.',
  branch: null,
  of: 9,
} as const;
const laned = (turnId: number, lane: string): RunEvent => {
  const event = turn({ turnId, prompt: 'Go.' });
  return { ...event, lane } as RunEvent;
};
const attempt = (attemptId: number, storyId: string): RunEvent => ({
  type: 'loop.attempt-started',
  activationId: 1,
  attemptId,
  iteration: attemptId,
  of: 9,
  retry: 0,
  story: { id: storyId, title: `Title of ${storyId}` },
  text: null,
});
const judged = (attemptId: number, storyId: string | null, result: 'completed' | 'failed'): RunEvent => ({
  type: 'loop.attempt-judged',
  activationId: 1,
  attemptId,
  result,
  storyId,
  storyTitle: null,
  storySource: 'prd',
  commit: null,
  summary: ['Done.'],
  warnings: [],
  claim: null,
  rule: 1,
  halt: null,
  promised: false,
  terminal: false,
});

test('a story costs what all its attempts cost, by the story that the evidence names', async () => {
  await run('loop', [
    loopStep,
    ...[attempt(1, 'US-1'), laned(1, 'attempt-1'), used(1, 10, 1), judged(1, 'US-1', 'failed')],
    ...[attempt(2, 'US-1'), laned(2, 'attempt-2'), used(2, 10, 2), judged(2, 'US-1', 'completed')],
    ...[attempt(3, 'US-2'), laned(3, 'attempt-3'), used(3, 10, 4), judged(3, null, 'failed')],
    ...answer(4, 10, 8),
  ]);
  const { rows, totals, pieces } = by('story');
  expect(rows).toMatchObject([
    { label: 'No story', turns: 1, costUsd: 4, accepted: false },
    { label: 'US-1', detail: 'sample', turns: 2, costUsd: 3, accepted: true },
  ]);
  expect(totals).toMatchObject({ turns: 3, costUsd: 7 });
  expect(pieces).toEqual({ all: 2, accepted: 1 });
  expect(by('run').pieces).toBeNull();
});

test('a round costs its turns, and the one delivered before the operator was satisfied is accepted', async () => {
  const member = {
    name: 'ana',
    profileId: 'writer',
    model: null,
    prompt: 'Write.',
    iterative: true,
    readOnly: false,
    worktree: false,
    planApproval: false,
    idleMinutes: null,
  };
  const asked = (turnId: number, round: number | null): RunEvent => ({
    type: 'team.delivered',
    activationId: 1,
    to: 'ana',
    messageIds: [],
    turnId,
    round,
    final: false,
  });
  const result = (turnId: number, round: number): RunEvent => ({
    type: 'team.result',
    activationId: 1,
    member: 'ana',
    round,
    turnId,
    text: 'Done.',
    final: false,
    claim: 'completed',
    changes: null,
  });
  const events: RunEvent[] = [
    { type: 'team.member-added', activationId: 1, member, by: 'operator' },
    ...[asked(1, 1), laned(1, 'member-ana'), used(1, 10, 1), result(1, 1)],
    ...[asked(2, 2), laned(2, 'member-ana'), used(2, 10, 2)],
    ...[asked(3, null), laned(3, 'member-ana'), used(3, 10, 4), result(3, 2)],
    { type: 'team.released', activationId: 1, member: 'ana', how: 'satisfied', by: 'operator', words: null },
  ];
  await run('team', events);
  const { rows, pieces } = by('round');
  expect(rows.map(({ label, costUsd, accepted }) => [label, costUsd, accepted])).toEqual([
    ['ana, round 2', 6, true],
    ['ana, round 1', 1, false],
  ]);
  expect(pieces).toEqual({ all: 2, accepted: 1 });
});

test('a run with a budget shows how much of it the whole run used, also outside of the time asked for', async () => {
  const teller = new Teller(store, 1_000);
  const event = begin('budget');
  const definition = { ...event.definition, budget: { cost_usd: 4 } };
  must(
    await teller.tell({ ...event, definition }, activation(1, 'write'), session(1, 1), ...answer(1, 10, 1)),
  );
  must(await teller.tell(...answer(2, 10, 2)));
  expect(by('run', { from: 1_005 }).rows).toMatchObject([
    { costUsd: 2, budget: { costUsd: 4, tokens: null, usedUsd: 3, usedTokens: 20 } },
  ]);
  await run('free', answer(1, 10, 1));
  expect(by('run').rows.map(({ budget }) => budget !== null)).toEqual([true, false]);
});
