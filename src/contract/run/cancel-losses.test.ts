import { expect, test } from 'vitest';
import { cancelLosses } from './cancel-losses';
import type { RunState } from './state';

/** A run state with only the parts that the function reads. */
const run = (parts: object): RunState =>
  ({ status: 'running', turns: {}, commands: {}, sessions: {}, ...parts }) as RunState;

test('a cancel loses the turns and commands that are at work, the longest first', () => {
  const state = run({
    sessions: { 1: { profileId: 'worker' } },
    turns: {
      1: { status: 'completed', sessionId: 1, startedAt: 1 },
      2: { status: 'in_flight', sessionId: 1, startedAt: 20 },
    },
    commands: {
      1: { status: 'running', script: 'npm test\nnpm run lint', startedAt: 10 },
      2: { status: 'exited', script: 'ls', startedAt: 5 },
    },
  });
  expect(cancelLosses(state)).toEqual([
    { kind: 'command', name: 'npm test', since: 10 },
    { kind: 'turn', name: 'worker', since: 20 },
  ]);
});

test('a run that only waits for the operator, or has ended, loses nothing', () => {
  expect(cancelLosses(run({ gates: { 1: { status: 'open' } } }))).toEqual([]);
  const turns = { 1: { status: 'in_flight', sessionId: 1, startedAt: 1 } };
  expect(cancelLosses(run({ status: 'finished', turns }))).toEqual([]);
});
