import { appError } from '@contract/errors';
import { ownValue } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import { keyIn } from '@contract/run/scope/path';
import type { ActivationState, RunState, ScopeState } from '@contract/run/state';
import type { DecisionInput } from '../base/decision-input';
import { planOfScope } from '../plan/tree';
import { lastActivation } from '../schedule/last-activation';

/**
 * Ends scopes with all steps decided; if the scope is being stopped or the run starts nothing more, those
 * with nothing running.
 */
export function endScopes(moment: DecisionInput, beginsNothing: boolean): RunEvent[] {
  const { state, schedule } = moment;
  const events: RunEvent[] = [];
  for (const path of schedule.endingScopes(beginsNothing)) {
    const scope = ownValue(state.scopes, path);
    if (scope !== undefined && !asks(moment, path)) events.push(endOf(moment, scope, beginsNothing));
  }
  return events;
}

/** Ends all scopes of a cancelled run, innermost first. */
export const cancelScopes = ({ scopes }: Pick<RunState, 'scopes'>): RunEvent[] =>
  Object.values(scopes)
    .filter(({ status }) => status !== 'ended')
    .map(({ path }): RunEvent => ({ type: 'scope.ended', scope: path, outcome: 'cancelled', error: null }))
    .reverse();

/** A step in it has an escalation that must be answered first. */
const asks = (moment: DecisionInput, path: string): boolean =>
  newestIn(moment, path).some(({ gateIds }) =>
    gateIds.some((id) => {
      const gate = moment.state.gates[id];
      return (
        gate?.status === 'open' && (gate.kind === 'review_escalation' || gate.kind === 'iteration_failed')
      );
    }),
  );

/** The newest activations of its steps, without those skipped since. */
export function newestIn(
  { plan, state }: Pick<DecisionInput, 'plan' | 'state'>,
  path: string,
): ActivationState[] {
  const order = planOfScope(plan, path)?.order ?? [];
  return order.flatMap((id) => {
    const key = keyIn(path, id);
    return ownValue(state.steps, key)?.skipped == null ? (lastActivation(state, key) ?? []) : [];
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

/** The operator rejected a result given out without approval. */
const refused = (state: RunState, { gateIds }: ActivationState): boolean =>
  gateIds.some(
    (id) => state.gates[id]?.kind === 'review_escalation' && state.gates[id]?.answer?.option === 'reject',
  );
