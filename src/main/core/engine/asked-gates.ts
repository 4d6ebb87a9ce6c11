import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { GateState, RunState, TurnState } from '@contract/run/state';

/** The turns that were cut off and that this one stands in for, the newest first. */
function cutOffBefore({ turns }: RunState, turn: TurnState): number[] {
  const before: number[] = [];
  let at = turns[turn.resendOf ?? 0];
  while (at?.status === 'interrupted') {
    before.push(at.id);
    at = turns[at.resendOf ?? 0];
  }
  return before;
}

/** The permission gates of these turns, by way of their activation: a run may have very many gates. */
function askedIn(state: RunState, activationId: number, turnIds: readonly number[]): GateState[] {
  const gates = (state.activations[activationId]?.gateIds ?? []).flatMap((id) => state.gates[id] ?? []);
  return gates.filter((gate) => gate.kind === 'permission' && turnIds.includes(gate.turnId ?? 0));
}

/**
 * What was asked in the turns that this one stands in for, and whose answer has not reached the agent. Only a turn that
 * was cut off leaves its questions to another one: after any other end nobody is there who still asks.
 */
export function earlierGates(state: RunState, turn: TurnState): GateState[] {
  const cut = cutOffBefore(state, turn);
  if (cut.length === 0) return [];
  return askedIn(state, turn.activationId, cut).filter(
    ({ delivered, status }) => !delivered && status !== 'withdrawn',
  );
}

/** A turn has ended: what it asked, or what was asked in the turns before that it stood in for, is asked no more. */
export function withdrawAsked(state: RunState, { turnId }: RunEventOf<'turn.finished'>): RunEvent[] {
  const turn = state.turns[turnId];
  return turn === undefined ? [] : takeBack(state, turn, 'The turn that asked has ended.');
}

/** A turn that was cut off is not sent again: what it asked, nobody asks any more. */
export const withdrawLeft = (state: RunState, turn: TurnState): RunEvent[] =>
  takeBack(state, turn, 'The prompt that it was about is not sent again.');

function takeBack(state: RunState, turn: TurnState, reason: string): RunEvent[] {
  const asked = askedIn(state, turn.activationId, [turn.id, ...cutOffBefore(state, turn)]);
  return asked.flatMap(({ id: gateId, status }): RunEvent[] =>
    status === 'open' ? [{ type: 'gate.withdrawn', gateId, reason }] : [],
  );
}
