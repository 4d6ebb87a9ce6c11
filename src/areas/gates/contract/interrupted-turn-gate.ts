import type { GateKind } from './gate';

interface Asking {
  readonly kind: GateKind;
  readonly runId: number;
  readonly sessionId: number | null;
}

/**
 * For a permission request whose turn was cut off: the question whether the turn goes on, which comes first. Undefined
 * if no such question is open.
 */
export const interruptedTurnGate = <G extends Asking>(gate: Asking, open: readonly G[]): G | undefined =>
  gate.kind !== 'permission' || gate.sessionId === null
    ? undefined
    : open.find(
        ({ kind, runId, sessionId }) =>
          kind === 'interrupted_turn' && runId === gate.runId && sessionId === gate.sessionId,
      );
