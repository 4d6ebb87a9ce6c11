import type { TurnOutcome } from '@areas/sessions/contract/session';
import type { TurnState } from '@contract/run/state';
import type { TurnResult } from '../../ports/ports';

/** A turn's outcome for the run: an agent that is not logged in has not failed, it waits for the login. */
export const outcomeOf = ({ outcome, error }: Pick<TurnResult, 'outcome' | 'error'>): TurnOutcome =>
  outcome === 'failed' && waitsForLogin(error) ? 'login' : outcome;

/** Only the operator can fix it, by a login or a valid key. */
export const waitsForLogin = (error: TurnResult['error']): boolean =>
  error?.code === 'agent.auth_required' || error?.code === 'agent.key_refused';

/**
 * A turn's outcome for decisions: a turn that was being cancelled when a crash interrupted it counts as
 * cancelled. One that was cancelled to be restarted counts as interrupted, whichever way it ended.
 */
export function effectiveOutcome(turn: Pick<TurnState, 'status' | 'cancelledBy' | 'restarts'>) {
  const { status, cancelledBy } = turn;
  if (restarts(turn)) return 'interrupted';
  return status === 'interrupted' && cancelledBy !== null ? 'cancelled' : status;
}

/** A response that arrived in spite of the cancellation counts, and the prompt is not sent again. */
export const restarts = ({ status, restarts: wanted }: Pick<TurnState, 'status' | 'restarts'>): boolean =>
  wanted === true && status !== 'in_flight' && status !== 'completed';
