import type { TurnState } from '@contract/run/state';
import type { TurnOutcome } from '@contract/session/session';
import type { TurnResult } from '../../ports/ports';

/** What a turn's end is to the run: an agent of whatever kind that is not logged in has not failed, it waits for that. */
export const outcomeOf = ({ outcome, error }: Pick<TurnResult, 'outcome' | 'error'>): TurnOutcome =>
  outcome === 'failed' && waitsForLogin(error) ? 'login' : outcome;

/** Only the operator can put it right: by a login, or by a key that is not refused. */
export const waitsForLogin = (error: TurnResult['error']): boolean =>
  error?.code === 'agent.auth_required' || error?.code === 'agent.key_refused';

/** How a turn ended, for deciding what follows: one that was to be stopped and that a crash cut off is stopped. */
export const effectiveOutcome = ({ status, cancelledBy }: Pick<TurnState, 'status' | 'cancelledBy'>) =>
  status === 'interrupted' && cancelledBy !== null ? 'cancelled' : status;
