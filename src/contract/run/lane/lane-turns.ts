import type { ActivationState, GateState, RunState, TurnState } from '../state';

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

/** The lane of the agent that a question is about; null if it is about none. */
export const laneOfGate = (
  { turns }: Pick<RunState, 'turns'>,
  { lane, turnId }: Pick<GateState, 'lane' | 'turnId'>,
): string | null => lane ?? turns[turnId ?? 0]?.lane ?? null;
