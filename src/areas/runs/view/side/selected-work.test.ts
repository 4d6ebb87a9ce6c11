import type { RunState } from '@contract/run/state';
import { double } from '@contract/testing/double';
import { expect, test } from 'vitest';
import { selectedWork } from './selected-work';

const turn = (id: number, activationId: number, startedAt: number) => ({ id, activationId, startedAt });
const state = double<RunState>({
  turns: { 1: turn(1, 1, 10), 2: turn(2, 1, 20), 3: turn(3, 2, 30) },
  commands: { 1: { ...turn(1, 3, 40) } },
  gates: {
    1: { turnId: 2, commandId: null, activationId: 1 },
    2: { turnId: null, commandId: null, activationId: 2 },
  },
  activations: { 1: { stepId: 'plan' }, 2: { stepId: 'build' }, 3: { stepId: 'check' } },
});

const named = (kind: string, id: string) => {
  const work = selectedWork(state, kind, id);
  if (work === null) return null;
  return work.kind === 'turn' ? `turn ${work.turn.id}` : `command ${work.command.id}`;
};

test('a place in a run leads to the turn or the command that it is about', () => {
  expect(named('turn', '1')).toBe('turn 1');
  expect(named('command', '1')).toBe('command 1');
  expect(named('gate', '1')).toBe('turn 2');
  expect(named('gate', '2')).toBe('turn 3');
  expect(named('step', 'plan')).toBe('turn 2');
  expect(named('result', '3')).toBe('command 1');
});

test('the default selection is the latest work, and nothing of a step that has none', () => {
  expect(named('', '')).toBe('command 1');
  expect(named('step', 'gone')).toBeNull();
  expect(named('turn', '9')).toBeNull();
});
