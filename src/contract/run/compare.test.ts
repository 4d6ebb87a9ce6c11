import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareRuns, outputText } from './compare';
import { storedEventSchema } from './events';
import { replay } from './reduce';
import type { RunState } from './state';

const folder = join(import.meta.dirname, '../../main/core/engine/__histories__');
const stateOf = (name: string): RunState => {
  const lines = readFileSync(join(folder, name), 'utf8').trim().split('\n').slice(1);
  const state = replay(lines.map((line) => storedEventSchema.parse(JSON.parse(line))));
  if (state === null) throw new Error(name);
  return state;
};
const loops = stateOf('0007-loops.jsonl');
const retries = stateOf('0005-conditions-and-retries.jsonl');

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
    compareRuns(state, state).reduce((sum, { a }) => sum + (a?.tokens ?? 0), 0);
  const used = (state: RunState) =>
    Object.values(state.turns).reduce((sum, { usage }) => sum + (usage?.total_tokens ?? 0), 0);
  expect(total(loops)).toBe(used(loops));
  expect(total(retries)).toBe(used(retries));
});

test('Steps are compared by id; one that the other run does not have stands alone', () => {
  const rows = compareRuns(loops, retries);
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
  expect(outputText(retries, 'no such step')).toBeNull();
});
