import type { ActivationState, RunState, TurnState } from '../state';

export type Lanes = ReadonlyMap<string, readonly TurnState[]>;

/** The turns of an activation by their lane, in one pass. */
export function turnsByLane(state: RunState, activation: ActivationState | undefined): Lanes {
  const lanes = new Map<string, TurnState[]>();
  for (const id of activation?.turnIds ?? []) {
    const turn = state.turns[id];
    if (turn?.lane == null) continue;
    const known = lanes.get(turn.lane);
    if (known === undefined) lanes.set(turn.lane, [turn]);
    else known.push(turn);
  }
  return lanes;
}
