import type { RunState, TurnState } from '@contract/run/state';
import { waitsForLimit } from '@contract/run/status';
import { expect } from 'vitest';
import { CONTINUE_PROMPT, ownPrompt } from '../turns/replay-context';

/** An unfinished run always waits for something. */
export function waitsForSomething(state: RunState): void {
  if (state.status === 'finished') return;
  const awaited = [
    ...Object.values(state.turns).filter((entry) => entry.status === 'in_flight'),
    ...Object.values(state.commands).filter((entry) => entry.status === 'running'),
    ...Object.values(state.gates).filter((entry) => entry.status === 'open'),
    ...Object.values(state.timers).filter((entry) => !entry.fired),
  ];
  expect(awaited, 'a run that goes on waits for something').not.toEqual([]);
}

/** The original prompt of a turn that continues another. */
function askedFor(state: RunState, turn: TurnState): string {
  const before = ownPrompt(turn).startsWith(CONTINUE_PROMPT) ? state.turns[turn.resendOf ?? 0] : undefined;
  return before === undefined ? ownPrompt(turn) : askedFor(state, before);
}

/** What must hold in every reachable state of a run. */
export function invariants(state: RunState): void {
  for (const session of Object.values(state.sessions)) {
    const inFlight = session.turnIds.filter((id) => state.turns[id]?.status === 'in_flight');
    expect(inFlight.length, 'one turn at a time in a session').toBeLessThanOrEqual(1);
    const first = state.turns[session.turnIds[session.freshAt] ?? 0];
    const lost = session.turnIds.slice(0, session.freshAt).flatMap((id) => state.turns[id] ?? []);
    for (const turn of first === undefined ? [] : lost.filter(({ status }) => status === 'completed'))
      expect(first?.prompt, 'a new conversation is told what it lost').toContain(askedFor(state, turn));
  }
  for (const activation of Object.values(state.activations)) {
    const answered = activation.turnIds.flatMap((id) =>
      state.turns[id]?.status === 'completed' ? [`${state.turns[id]?.lane} ${state.turns[id]?.ordinal}`] : [],
    );
    expect(new Set(answered).size, 'no finished turn is sent again').toBe(answered.length);
    if (activation.status !== 'finished') continue;
    const open = activation.turnIds.filter((id) => state.turns[id]?.status === 'in_flight');
    expect(open, 'nothing of a finished activation is in flight').toEqual([]);
  }
  for (const step of Object.values(state.steps)) {
    const running = step.activationIds.filter((id) => state.activations[id]?.status === 'running');
    expect(running.length, 'one activation of a step at a time').toBeLessThanOrEqual(1);
  }
  for (const activation of Object.values(state.activations)) {
    const again = activation.commandIds.slice(activation.resumedAtCommand, -1);
    const ends = again.map((id) => state.commands[id]?.status);
    const ended = ends.filter((end) => end !== 'interrupted');
    expect(ended, 'a command is run again by itself only where it was cut off').toEqual([]);
  }
  for (const scope of Object.values(state.scopes)) {
    const owner = state.activations[scope.activationId];
    if (scope.status !== 'ended')
      expect(owner?.status, 'a scope goes on only while its step does').toBe('running');
  }
  for (const { id, scopes } of Object.values(state.activations)) {
    const own = Object.values(state.scopes).filter(({ activationId }) => activationId === id);
    const counted = {
      opened: own.length,
      open: own.filter(({ status }) => status !== 'ended').length,
      failed: own.filter(({ status, outcome }) => status === 'ended' && outcome !== 'succeeded').length,
    };
    expect(scopes ?? { opened: 0, open: 0, failed: 0 }).toEqual(counted);
  }
  if (state.status !== 'finished') return;
  expect(state.outcome).not.toBeNull();
  const open = [
    ...Object.values(state.activations).filter((entry) => entry.status === 'running'),
    ...Object.values(state.turns).filter((entry) => entry.status === 'in_flight'),
    ...Object.values(state.commands).filter((entry) => entry.status === 'running'),
    ...Object.values(state.gates).filter((entry) => entry.status === 'open'),
    ...Object.values(state.scopes).filter((entry) => entry.status !== 'ended'),
    ...Object.values(state.sessions).filter((entry) => entry.status === 'ready'),
  ];
  expect(open, 'a finished run has nothing open').toEqual([]);
}

export const waitsForNothing = (state: RunState): boolean =>
  state.status !== 'finished' &&
  Object.values(state.gates).every(({ status }) => status !== 'open') &&
  Object.values(state.turns).every(({ status }) => status !== 'in_flight') &&
  Object.values(state.timers).every(({ id }) => !waitsForLimit(state, id)) &&
  Object.values(state.commands).every(({ status }) => status !== 'running');
