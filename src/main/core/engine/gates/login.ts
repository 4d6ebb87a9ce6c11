import { type AppError, appError } from '@contract/errors';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { RunState, SessionState, TurnState } from '@contract/run/state';
import { turnLoginGate } from './gates';

/** Why a turn waits for a login. */
export const loginError = ({ error }: TurnState): AppError =>
  error ?? appError('agent.auth_required', 'the agent is not logged in');

/**
 * Asks the operator to log the agent in. The agent's program is ended meanwhile, since many read their login
 * only at startup. A program that would lose its conversation is ended only once a resent prompt has shown
 * that to be necessary.
 */
export function askLogin(
  state: RunState,
  turn: TurnState,
  session: SessionState,
): [RunEventOf<'gate.opened'>, ...RunEvent[]] {
  const again = state.turns[turn.resendOf ?? 0]?.status === 'login';
  const idle =
    session.status === 'ready' && session.turnIds.every((id) => state.turns[id]?.status !== 'in_flight');
  const goes = idle && (session.capabilities?.resume !== false || again);
  const reason = 'its agent is not logged in';
  return [
    { ...turnLoginGate({ state, session }, turn, loginError(turn)), gateId: state.last.gate + 1 },
    ...(goes ? [{ type: 'session.parked' as const, sessionId: session.id, reason }] : []),
  ];
}
