import { appError } from '@contract/errors';
import { own } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import { keyIn } from '@contract/run/scope/path';
import type { ActivationState, RunState, ScopeState } from '@contract/run/state';
import type { DecisionInput } from '../moment';
import { planOfScope } from '../plan/tree';
import { lastActivation } from '../schedule/last-activation';

/**
 * Ends the scopes of which every step is decided; of a scope that is being stopped, or of a run that begins nothing more,
 * those in which nothing runs.
 */
export function endScopes(moment: DecisionInput, beginsNothing: boolean): RunEvent[] {
  const { state, schedule } = moment;
  const events: RunEvent[] = [];
  for (const path of schedule.endingScopes(beginsNothing)) {
    const scope = own(state.scopes, path);
    if (scope !== undefined && !asks(moment, path)) events.push(endOf(moment, scope, beginsNothing));
  }
  return events;
}

/** The end of all scopes of a run that is cancelled, the innermost first. */
export const cancelScopes = ({ scopes }: Pick<RunState, 'scopes'>): RunEvent[] =>
  Object.values(scopes)
    .filter(({ status }) => status !== 'ended')
    .map(({ path }): RunEvent => ({ type: 'scope.ended', scope: path, outcome: 'cancelled', error: null }))
    .reverse();

/** A step of it has asked a question at its end that must be answered first. */
const asks = (moment: DecisionInput, path: string): boolean =>
  newestIn(moment, path).some(({ gateIds }) =>
    gateIds.some((id) => {
      const gate = moment.state.gates[id];
      return (
        gate?.status === 'open' && (gate.kind === 'review_escalation' || gate.kind === 'iteration_failed')
      );
    }),
  );

/** The newest activations of its steps, without those that were skipped since. */
export function newestIn(
  { plan, state }: Pick<DecisionInput, 'plan' | 'state'>,
  path: string,
): ActivationState[] {
  const order = planOfScope(plan, path)?.order ?? [];
  return order.flatMap((id) => {
    const key = keyIn(path, id);
    return own(state.steps, key)?.skipped == null ? (lastActivation(state, key) ?? []) : [];
  });
}

function endOf(moment: DecisionInput, { path, status }: ScopeState, beginsNothing: boolean): RunEvent {
  const newest = newestIn(moment, path);
  const found = (['rejected', 'failed', 'cancelled'] as const).find((outcome) =>
    newest.some((one) => one.outcome === outcome || (outcome === 'rejected' && refused(moment.state, one))),
  );
  const stopped = status === 'stopping' || (beginsNothing && found === undefined);
  const outcome = stopped ? 'cancelled' : (found ?? 'succeeded');
  const failed = newest.find((one) => one.outcome === 'failed');
  const error =
    outcome === 'failed'
      ? (failed?.error ?? appError('step.failed', `${failed?.stepId ?? path} failed`))
      : null;
  return { type: 'scope.ended', scope: path, outcome, error };
}

/** The operator rejected what a step had given out without approval. */
const refused = (state: RunState, { gateIds }: ActivationState): boolean =>
  gateIds.some(
    (id) => state.gates[id]?.kind === 'review_escalation' && state.gates[id]?.answer?.option === 'reject',
  );
