import type { RunEvent } from '@contract/run/events';
import { keyText } from '@contract/run/keys';
import { replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { limitPurpose } from '@contract/run/status';
import { turnTitle } from '@contract/run/turn/turn-title';
import { describe, expect, test } from 'vitest';
import { stepNow } from '../parts/run-now';
import { rowFor, timelineRows } from './timeline-rows';

function runOf(...events: object[]): RunState {
  const all = [
    {
      type: 'run.started',
      instruction: '',
      references: { baseBranch: null, docsDir: '', inputs: {} },
      definition: {
        name: 'w',
        steps: ['plan', 'build'].map((id) => ({ id, type: 't', config: {} })),
        cables: [],
      },
    },
    ...events,
  ];
  const state = replay(all.map((event, index) => ({ seq: index + 1, at: index, event: event as RunEvent })));
  if (state === null) throw new Error('no state');
  return state;
}

const activation = (activationId: number, stepId: string) => ({
  type: 'activation.started',
  activationId,
  stepId,
  attempt: 1,
  inputs: [],
});
const turn = (turnId: number, activationId: number, ordinal: number) => ({
  type: 'turn.dispatched',
  turnId,
  sessionId: 1,
  activationId,
  ordinal,
  kind: ordinal === 0 ? 'primary' : 'reprompt',
  prompt: 'p',
  attachments: [],
  of: 3,
  resendOf: null,
});
const gate = (gateId: number, activationId: number | null, turnId: number | null) => ({
  type: 'gate.opened',
  gateId,
  activationId,
  turnId,
  kind: 'permission',
  options: [],
});
const finished = (activationId: number) => ({
  type: 'activation.finished',
  activationId,
  outcome: 'succeeded',
  outputs: {},
  signals: [],
  receipt: {},
  warnings: [],
  error: null,
});

const keys = (state: RunState) => timelineRows(state).map((row) => row.key);

describe('the timeline', () => {
  test('the timeline shows steps that run side by side one after the other', () => {
    const state = runOf(
      activation(1, 'plan'),
      activation(2, 'build'),
      turn(1, 1, 0),
      turn(2, 2, 0),
      turn(3, 1, 1),
      finished(1),
    );
    expect(keys(state)).toEqual([
      'start',
      'activation/1',
      'turn/1',
      'turn/3',
      'result/1',
      'activation/2',
      'turn/2',
    ]);
  });

  test('the timeline shows a gate in its turn, else in its activation, else by itself', () => {
    const state = runOf(
      activation(1, 'plan'),
      turn(1, 1, 0),
      gate(1, 1, 1),
      gate(2, 1, null),
      gate(3, null, null),
    );
    expect(keys(state)).toEqual(['start', 'activation/1', 'turn/1', 'gate/2', 'gate/3']);
    const rows = timelineRows(state);
    expect(rowFor(rows, 'gate', '1')).toBe('turn/1');
    expect(rowFor(rows, 'gate', '2')).toBe('gate/2');
    expect(rowFor(rows, 'step', 'plan')).toBe('activation/1');
    expect(rowFor(rows, 'turn', '99')).toBeNull();
  });

  test('the timeline ends with the end of the run', () => {
    expect(keys(runOf({ type: 'run.finished', outcome: 'succeeded', reason: null })).at(-1)).toBe('finish');
  });

  test('the timeline counts re-prompts without the first prompt', () => {
    expect(turnTitle({ kind: 'primary', ordinal: 0, of: 4 })).toBe('Prompt');
    expect(turnTitle({ kind: 'reprompt', ordinal: 2, of: 4 })).toBe('Re-prompt 2/3');
  });
});

describe('a step in the outline', () => {
  test('a step in the outline says what it does and how far it has come', () => {
    const state = runOf(activation(1, 'plan'), turn(1, 1, 0), turn(2, 1, 1));
    expect(stepNow(state, 'plan')).toMatchObject({
      word: { word: 'Running' },
      note: 'Re-prompt 1/2',
      part: 1 / 3,
    });
    expect(stepNow(state, 'build')).toMatchObject({ word: { word: 'Not started' }, note: null });
  });

  test('a step in the outline waits for the limit of its provider, until the turn is sent again', () => {
    const limited = [
      activation(1, 'plan'),
      turn(1, 1, 0),
      { type: 'timer.set', timerId: 1, activationId: 1, dueAt: 60_000, purpose: limitPurpose(1) },
    ];
    expect(stepNow(runOf(...limited), 'plan').word.word).toBe('Provider limit');
    expect(stepNow(runOf(...limited, gate(1, 1, null)), 'plan').word.word).toBe('Waits for you');
    const again = { ...turn(2, 1, 0), resendOf: 1 };
    expect(stepNow(runOf(...limited, again), 'plan').word.word).toBe('Running');
  });

  test('a step in the outline waits where a gate is open, and is skipped with its reason', () => {
    const state = runOf(activation(1, 'plan'), gate(1, 1, null), {
      type: 'step.skipped',
      stepId: 'build',
      reason: 'no',
    });
    expect(stepNow(state, 'plan').word.word).toBe('Waits for you');
    expect(stepNow(state, 'build')).toMatchObject({ word: { word: 'Skipped' }, note: 'no' });
  });
});

test('the timers of a step are listed as what happens by itself, without those that only watch its agent', () => {
  const set = (timerId: number, purpose: string, more: object = {}) => ({
    type: 'timer.set',
    timerId,
    activationId: 1,
    dueAt: timerId,
    purpose,
    ...more,
  });
  const begun = [
    activation(1, 'plan'),
    turn(1, 1, 0),
    set(1, keyText(['team.stall', 'ana', 1, 1]), { watches: 1 }),
  ];
  const timers = (...events: object[]) =>
    timelineRows(runOf(...events)).flatMap((row) =>
      row.kind === 'timers' ? row.timers.map(({ id }) => id) : [],
    );
  expect(timers(...begun)).toEqual([]);
  expect(timers(...begun, set(2, limitPurpose(1)))).toEqual([2]);
  // The turn was sent again early.
  expect(timers(...begun, set(2, limitPurpose(1)), { ...turn(2, 1, 0), resendOf: 1 })).toEqual([]);
  const member = { name: 'ana', profileId: 'a', model: null, prompt: 'Go', iterative: true };
  const team = [
    activation(1, 'plan'),
    { type: 'team.member-added', activationId: 1, member, by: 'operator' },
  ];
  // The member has no round yet: nothing of the fourth still happens.
  const purposes = [
    keyText(['team.round', 'ana', 4, null]),
    keyText(['team.before-idle', 'ana', 4]),
    keyText(['team.idle', 'ana', 4]),
    keyText(['team.idle', 'ana', 0]),
    keyText(['step.time-limit', 1]),
  ];
  expect(timers(...team, ...purposes.map((purpose, index) => set(index + 1, purpose)))).toEqual([4, 5]);
});
