import type { GateState, RunState } from '@contract/run/state';
import { double } from '@contract/testing/double';
import { expect, test } from 'vitest';
import { isSame, Selection } from './selection';

const ready = (gates: RunState['gates']) => ({
  status: 'ready' as const,
  state: double<RunState>({ gates }),
});
const gate = double<GateState>({});
const open = (state: RunState) => Object.keys(state.gates);

test('a part that is equal stays the same object when the state changes', () => {
  const selection = new Selection<string[]>();
  const first = selection.of(ready({ 1: gate }), open);
  expect(first).toEqual(['1']);
  expect(selection.of(ready({ 1: gate }), open)).toBe(first);
  expect(selection.of(ready({ 1: gate, 2: gate }), open)).toEqual(['1', '2']);
});

test('a selector that changes is asked again for the same state', () => {
  const selection = new Selection<number>();
  const view = ready({ 1: gate, 2: gate });
  expect(selection.of(view, (state) => open(state).length)).toBe(2);
  expect(selection.of(view, () => 7)).toBe(7);
});

test('a moment that is being read shows the one before it, and one that failed shows nothing', () => {
  const selection = new Selection<string[]>();
  expect(selection.of({ status: 'loading', state: null }, open)).toBeNull();
  selection.of(ready({ 1: gate }), open);
  expect(selection.of({ status: 'loading', state: null }, open)).toEqual(['1']);
  expect(selection.of({ status: 'failed', state: null }, open)).toBeNull();
});

test('records are the same by their own fields, and lists by their items', () => {
  expect(isSame({ a: 1 }, { a: 1 })).toBe(true);
  expect(isSame({ a: undefined }, { b: 1 })).toBe(false);
  expect(isSame([1, 2], [1])).toBe(false);
  expect(isSame([1], { 0: 1 })).toBe(false);
  expect(isSame({ a: {} }, { a: {} })).toBe(false);
  expect(isSame(null, {})).toBe(false);
});
