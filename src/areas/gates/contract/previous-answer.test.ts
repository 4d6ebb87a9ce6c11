import type { GateState, RunState } from '@contract/run/state';
import { double } from '@contract/testing/double';
import { expect, test } from 'vitest';
import { askedBefore } from './previous-answer';

const options = [
  { id: 'approve', label: 'Approve', effect: '', tone: 'approve' },
  { id: 'reject', label: 'Reject', effect: '', tone: 'reject' },
] as const;
const gate = (id: number, activationId: number, answer: GateState['answer']) => ({
  id,
  activationId,
  answer,
  options,
  kind: 'approval' as const,
  title: 'Publish?',
  closedAt: answer && id * 10,
  evidence: `draft ${id}`,
});
const stateOf = (...gates: ReturnType<typeof gate>[]) =>
  double<RunState>({
    gates: Object.fromEntries(gates.map((one) => [one.id, one])),
    activations: { 1: { stepId: 'ok' }, 2: { stepId: 'ok' }, 3: { stepId: 'other' }, 4: { stepId: 'ok' } },
  });
const no = (reason: string) => ({ option: 'reject', reason });

test('a question that is asked again has the last answer, and how often it was asked', () => {
  const state = stateOf(gate(1, 1, no('Too long.')), gate(2, 2, no('Still too long.')), gate(3, 4, null));
  expect(askedBefore(state, 3)).toMatchObject({
    gateId: 2,
    round: 3,
    answer: 'Reject',
    reason: 'Still too long.',
    at: 20,
    evidence: 'draft 2',
  });
  expect(askedBefore(state, 2)).toMatchObject({ gateId: 1, round: 2, reason: 'Too long.' });
  expect(askedBefore(state, 1)).toBeNull();
});

test('another step, another question and an approval are no earlier asking', () => {
  expect(askedBefore(stateOf(gate(1, 3, no('No.')), gate(2, 1, null)), 2)).toBeNull();
  expect(
    askedBefore(stateOf({ ...gate(1, 1, no('No.')), title: 'Delete?' }, gate(2, 2, null)), 2),
  ).toBeNull();
  const approved = gate(2, 2, { option: 'approve', text: 'Fine.' });
  expect(askedBefore(stateOf(gate(1, 1, no('No.')), approved, gate(3, 4, null)), 3)).toBeNull();
  expect(askedBefore(stateOf(gate(2, 1, null)), 9)).toBeNull();
});
