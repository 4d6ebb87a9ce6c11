import { ownValue } from '@contract/own';
import type { ActivationState, RunState, TurnState } from '@contract/run/state';
import { effectiveOutcome } from './outcome';

export function turnsOf(state: RunState, activation: ActivationState): TurnState[] {
  return activation.turnIds.flatMap((id) => state.turns[id] ?? []);
}

/** Whether a turn is newer than the last resume of its lane or run. */
export function isNew({ turnIds, resumedAtTurn, restoredLanes }: ActivationState, turn: TurnState): boolean {
  return turnIds.indexOf(turn.id) >= Math.max(resumedAtTurn, ownValue(restoredLanes, turn.lane ?? '') ?? 0);
}

/** It was ended deliberately, without its run, and not to be resent: it stays ended. */
export function endedByHand({ turnIds, restoredLanes }: ActivationState, turn: TurnState): boolean {
  const wanted = turnIds.indexOf(turn.id) < (ownValue(restoredLanes, turn.lane ?? '') ?? 0);
  return effectiveOutcome(turn) === 'cancelled' && turn.cancelledBy !== null && !wanted;
}

/**
 * Whether the answer of a lane's newest turn is still to come: it will be resent, or the operator is asked
 * about it.
 */
export function isPending(activation: ActivationState, turn: TurnState): boolean {
  if (ownValue(activation.brokenLanes, turn.lane ?? '') !== undefined) return false;
  switch (effectiveOutcome(turn)) {
    case 'in_flight':
    case 'limit':
    case 'login':
    case 'interrupted':
      return true;
    case 'completed':
      return false;
    default:
      return !isNew(activation, turn) && !endedByHand(activation, turn);
  }
}
