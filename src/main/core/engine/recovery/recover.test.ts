import type { RunState } from '@contract/run/state';
import { double } from '@contract/testing/double';
import { expect, test } from 'vitest';
import { type Found, type FoundSession, interruptions } from './recover';

/** The parts of a state that recovery reads: one session with a turn in flight, one running command. */
const state = double<RunState>({
  turns: { 1: { id: 1, sessionId: 7, status: 'in_flight' }, 2: { id: 2, sessionId: 7, status: 'completed' } },
  commands: { 3: { id: 3, status: 'running' }, 4: { id: 4, status: 'exited' } },
  sessions: { 7: { id: 7, status: 'ready' }, 8: { id: 8, status: 'closed' } },
});

const found = (session: FoundSession | null, survives = false): Found => ({
  partialResponse: (turnId) => ({ response: `said so far in ${turnId}`, toolCalls: 'none' }),
  survives: () => survives,
  session: () => session,
});

const lives = (
  left: Extract<FoundSession, { kind: 'lives' }>['left'],
  turnId: number | null = 1,
): FoundSession => ({ kind: 'lives', turnId, left, release: () => undefined });

test('A turn whose agent ended with the core is interrupted with its partial text', () => {
  expect(interruptions(state, found(null))).toEqual([
    {
      type: 'turn.interrupted',
      turnId: 1,
      reason: 'Muster ended while it was in flight',
      partial: 'said so far in 1',
      toolCalls: 'none',
    },
    { type: 'command.interrupted', commandId: 3, reason: 'Muster ended while it was in flight' },
    { type: 'session.lost', sessionId: 7, reason: 'its process ended with Muster' },
  ]);
});

test('A turn whose agent outlived the core is not interrupted', () => {
  expect(interruptions(state, found(lives({ kind: 'unsent' }), true))).toEqual([
    { type: 'session.reattached', sessionId: 7, turnId: 1 },
  ]);
});

test('A turn that a surviving session no longer works on is interrupted', () => {
  expect(interruptions(state, found(lives(null, null), true)).map(({ type }) => type)).toEqual([
    'turn.interrupted',
    'session.reattached',
  ]);
});

test('A turn whose session was gone when the core looked is interrupted with that reason', () => {
  const [turn] = interruptions(state, found({ kind: 'gone', why: 'its terminal was closed' }, true));
  expect(turn).toMatchObject({
    type: 'turn.interrupted',
    reason: 'Muster ended while it was in flight; its terminal was closed',
  });
});
