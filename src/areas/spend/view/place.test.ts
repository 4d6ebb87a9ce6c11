import { expect, test } from 'vitest';
import type { SpendRow } from '../contract/procedures';
import { hashOfRow, placeOf, sortQuery, timeOf } from './place';

const NOW = new Date(2026, 10, 23, 15, 30).getTime();
const row = (more: Partial<SpendRow>): SpendRow => ({
  key: 'k',
  label: 'l',
  detail: null,
  runId: null,
  projectId: null,
  file: null,
  accepted: null,
  budget: null,
  turns: 1,
  ms: null,
  tokens: 1,
  costUsd: 1,
  tokensUnreported: 0,
  costUnreported: 0,
  ...more,
});

test('an address with an error shows the last 30 days by day', () => {
  const usual = { by: 'day', days: 30, day: null, projectId: null, order: null };
  expect(placeOf({})).toEqual(usual);
  expect(placeOf({ by: 'mood', days: '-1', day: 'x', project: 'y', sort: 'z' })).toEqual(usual);
});

test('a period begins with a day, and one day ends with the next', () => {
  const midnight = (date: number) => new Date(2026, 10, date).getTime();
  expect(timeOf(placeOf({ days: '1' }), NOW)).toEqual({ from: midnight(23), before: null });
  expect(timeOf(placeOf({ days: '7' }), NOW)).toEqual({ from: midnight(17), before: null });
  expect(timeOf(placeOf({ days: '0' }), NOW)).toEqual({ from: 0, before: null });
  expect(timeOf(placeOf({ day: '2026-11-20' }), NOW)).toEqual({ from: midnight(20), before: midnight(21) });
});

test('a second press on the head of a column reverses its order', () => {
  const first = sortQuery(null, 'costUsd');
  expect(placeOf(first).order).toEqual({ column: 'costUsd', descending: true });
  const second = sortQuery(placeOf(first).order, 'costUsd');
  expect(placeOf(second).order).toEqual({ column: 'costUsd', descending: false });
  expect(placeOf(sortQuery(null, 'label')).order).toEqual({ column: 'label', descending: false });
});

test('a row leads to the items that it adds up', () => {
  expect(hashOfRow('day', row({ key: '2026-11-20' }), { days: '7' })).toBe(
    '#/spend?days=7&by=run&day=2026-11-20',
  );
  expect(hashOfRow('project', row({ key: '3' }), {})).toBe('#/spend?by=workflow&project=3');
  expect(hashOfRow('run', row({ runId: 7 }), {})).toBe('#/run/7');
  expect(hashOfRow('step', row({ projectId: 1, file: 'a.yaml' }), {})).toBe('#/workflow/1/a.yaml');
  expect(hashOfRow('agent', row({ key: 'claude' }), {})).toBe('#/agent/claude');
  expect(hashOfRow('agent', row({ key: '' }), {})).toBeNull();
  expect(hashOfRow('model', row({}), {})).toBeNull();
});
