import type { RunEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import { attemptLane } from '../contract/state';

/** In a cancelled or cut run, an attempt whose worker has ended still gets its verdict and update. */
export const endAttempts = (state: RunState, { isCut }: { readonly isCut: boolean }): RunEvent[] =>
  Object.values(state.loops).flatMap(({ activationId, attempts, watch }): RunEvent[] => {
    // A watched attempt continues.
    if (watch !== null && !isCut) return [];
    const last = attempts.at(-1);
    if (last === undefined || last.end !== null || last.judged !== null) return [];
    if (last.before === null && last.refused === null) return [];
    if (state.activations[activationId]?.status !== 'running') return [];
    const turnId = laneTurn(state, activationId, attemptLane(last.id));
    const wasInterrupted = isCut || state.turns[turnId ?? 0]?.status === 'interrupted';
    const how = watch !== null ? 'unknown' : wasInterrupted ? 'interrupted' : 'cancelled';
    const end = { how, turnId, error: null } as const;
    return [{ type: 'loop.attempt-ended', activationId, attemptId: last.id, end }];
  });

const laneTurn = (state: RunState, activationId: number, lane: string): number | null =>
  state.activations[activationId]?.turnIds.findLast((id) => state.turns[id]?.lane === lane) ?? null;
