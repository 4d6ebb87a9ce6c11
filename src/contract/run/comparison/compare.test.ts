import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storedEventSchema } from '../events';
import { replay } from '../reduce';
import type { RunState } from '../state';
import { compareRuns } from './compare';

const folder = join(import.meta.dirname, '../../../main/core/engine/__histories__');
/** The state of a golden history, at its end or when the run ended first. */
const stateOf = (name: string, at?: 'first end'): RunState => {
  const lines = readFileSync(join(folder, name), 'utf8').trim().split('\n').slice(1);
  const all = lines.map((line) => storedEventSchema.parse(JSON.parse(line)));
  const end = all.findIndex(({ event }) => event.type === 'run.finished');
  const state = replay(at === undefined ? all : all.slice(0, end + 1));
  if (state === null) throw new Error(name);
  return state;
};
const loops = stateOf('loops.jsonl');
const retries = stateOf('conditions-and-retries.jsonl');
const outermost = (a: RunState, b: RunState) => compareRuns(a, b).filter(({ depth }) => depth === 0);

test('A run compared with itself is the same in every step', () => {
  for (const state of [loops, retries])
    for (const { a, b, changed } of compareRuns(state, state)) {
      expect(a).toEqual(b);
      expect(changed).toBe(false);
      expect(a?.attempts).toBeGreaterThanOrEqual(0);
    }
});

test('All turns of the steps, also within loops, add up to what the run used', () => {
  const total = (state: RunState) =>
    outermost(state, state).reduce((sum, { a }) => sum + (a?.tokens ?? 0), 0);
  const used = (state: RunState) =>
    Object.values(state.turns).reduce((sum, { usage }) => sum + (usage?.total_tokens ?? 0), 0);
  expect(total(loops)).toBe(used(loops));
  expect(total(retries)).toBe(used(retries));
});

test('Steps are compared by id; one that the other run does not have stands alone', () => {
  const rows = outermost(loops, retries);
  const ids = new Set([...loops.definition.steps, ...retries.definition.steps].map(({ id }) => id));
  expect(rows).toHaveLength(ids.size);
  for (const { stepId, a, b } of rows) {
    expect(a !== null).toBe(loops.definition.steps.some(({ id }) => id === stepId));
    expect(b !== null).toBe(retries.definition.steps.some(({ id }) => id === stepId));
  }
});

test('A step that was skipped, retried or taken says so', () => {
  const rows = compareRuns(retries, retries);
  const outcomes = rows.map(({ a }) => a?.outcome);
  expect(outcomes).toContain('skipped');
  expect(rows.some(({ a }) => (a?.attempts ?? 0) > 1)).toBe(true);
  const [id = 0] = Object.keys(retries.activations).map(Number);
  const first = retries.activations[id];
  if (first === undefined) return;
  const taken = { ...first, adopted: { uid: 'X', at: 1 }, turnIds: [] };
  const other = { ...retries, activations: { ...retries.activations, [id]: taken } };
  const row = compareRuns(retries, other).find(({ stepId }) => stepId === first.stepId);
  if (row?.a?.attempts === 1) expect(row.b).toMatchObject({ isAdopted: true, tokens: null });
});

const experiment = stateOf('experiments.jsonl');
const variant = (name: string, tokens: number | null, outcome = 'succeeded') => [
  ...[`compare/${name}`, name, 1, outcome, tokens],
];

test('The variants of an experiment have a row each, by their names, with what they made and used', () => {
  const [, whole] = outermost(experiment, experiment);
  expect(whole?.a).toMatchObject({ outcome: 'succeeded', attempts: 1, tokens: 75 });
  const rows = compareRuns(experiment, loops);
  expect(
    rows.slice(0, 6).map(({ stepId, title, depth, a }) => [stepId, title, depth, a?.outcome, a?.tokens]),
  ).toEqual([
    ['plan', 'plan', 0, 'succeeded', 25],
    ['compare', 'compare', 0, 'succeeded', 75],
    variant('as it is', 50),
    variant('refused', null, 'failed'),
    variant('one turn', 25),
    ['ok', 'ok', 0, 'succeeded', null],
  ]);
  expect(rows.slice(0, 6).every(({ b }) => b === null)).toBe(true);
  expect(rows[4]?.texts).toEqual(['a draft', null]);
});

test('A variant is compared with that of its name, where other variants stand before it', () => {
  const [first, ...others] = experiment.definition.steps;
  const again = structuredClone(others[0]);
  const variants = again?.config.variants;
  if (first === undefined || again === undefined || !Array.isArray(variants))
    throw new Error('no experiment');
  const changed = {
    ...again,
    config: { ...again.config, variants: [{ name: 'new' }, ...variants.slice(2)] },
  };
  const definition = { ...experiment.definition, steps: [first, changed] };
  const rows = compareRuns(experiment, { ...experiment, definition, activations: {}, steps: {} });
  expect(rows.map(({ stepId, a, b }) => [stepId, a?.outcome, b?.outcome])).toEqual([
    ['plan', 'succeeded', 'pending'],
    ['compare', 'succeeded', 'pending'],
    ['compare/as it is', 'succeeded', undefined],
    ['compare/refused', 'failed', undefined],
    ['compare/one turn', 'succeeded', 'pending'],
    ['compare/new', undefined, 'pending'],
    ['ok', 'succeeded', undefined],
  ]);
});

test('An item of a fan-out that failed decides until it is repaired, and the passes of a loop count together', () => {
  const name = 'one-item-of-three-failed.jsonl';
  const [before, mended] = [stateOf(name, 'first end'), stateOf(name)];
  const item = compareRuns(before, mended).find(({ stepId }) => stepId === 'each/do');
  expect(item).toMatchObject({
    a: { outcome: 'failed', attempts: 3 },
    b: { outcome: 'succeeded', attempts: 3 },
  });
  const rows = compareRuns(loops, loops).map(({ stepId, depth, a }) => [
    stepId,
    depth,
    a?.outcome,
    a?.attempts,
  ]);
  expect(rows).toEqual([
    ['talk', 0, 'succeeded', 1],
    ['review', 0, 'succeeded', 1],
    ['review/fix', 1, 'succeeded', 2],
    ['review/deep', 1, 'succeeded', 2],
    ['review/ok', 1, 'succeeded', 2],
    ['slow', 0, 'failed', 1],
    ['end', 0, 'succeeded', 1],
  ]);
});

test('Nothing inside a step whose result was taken was executed', () => {
  const { activations } = loops;
  const taken = Object.entries(activations).find(([, { stepId }]) => stepId === 'review');
  if (taken === undefined) throw new Error('no loop');
  const [id, review] = taken;
  const kept = Object.entries(activations).filter(([, { stepId }]) => !stepId.startsWith('review'));
  const adopted = { ...review, adopted: { uid: 'X', at: 1 }, turnIds: [] };
  const again = { ...loops, activations: { ...Object.fromEntries(kept), [id]: adopted } };
  const rows = compareRuns(loops, again).filter(({ stepId }) => stepId.startsWith('review'));
  expect(rows.map(({ b }) => [b?.isAdopted, b?.outcome, b?.ms, b?.tokens])).toEqual(
    rows.map(() => [true, 'succeeded', null, null]),
  );
});
