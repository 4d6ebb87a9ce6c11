import type { TurnState } from '@contract/run/state';
import type { TurnOutcome } from '@contract/session/session';
import type { TurnResult } from '../../ports/ports';

/** A turn's outcome for the run: an agent that is not logged in has not failed, it waits for the login. */
export const outcomeOf = ({ outcome, error }: Pick<TurnResult, 'outcome' | 'error'>): TurnOutcome =>
  outcome === 'failed' && waitsForLogin(error) ? 'login' : outcome;

/** Only the operator can fix it, by a login or a valid key. */
export const waitsForLogin = (error: TurnResult['error']): boolean =>
  error?.code === 'agent.auth_required' || error?.code === 'agent.key_refused';

/**
 * A turn's outcome for decisions: a turn that was being cancelled when a crash interrupted it counts as
 * cancelled.
 */
export const effectiveOutcome = ({ status, cancelledBy }: Pick<TurnState, 'status' | 'cancelledBy'>) =>
  status === 'interrupted' && cancelledBy !== null ? 'cancelled' : status;
