import type { AppError } from '@contract/errors';
import type { RunEvent } from '@contract/run/events';
import type { ActivationState } from '@contract/run/state';
import type { FinishDecision } from '../step/module';
import type { Moment } from './moment';

export function finish(
  moment: Pick<Moment, 'plan' | 'state'>,
  activation: ActivationState,
  decision: Omit<FinishDecision, 'kind'>,
): RunEvent[] {
  const { state } = moment;
  const withdrawn = activation.gateIds.flatMap((id): RunEvent[] =>
    state.gates[id]?.status === 'open'
      ? [{ type: 'gate.withdrawn', gateId: id, reason: 'The step that asked has ended.' }]
      : [],
  );
  const { outcome, error } = decision;
  return [
    ...withdrawn,
    ...(outcome === 'succeeded' ? closeSessions(moment, activation) : []),
    {
      type: 'activation.finished',
      activationId: activation.id,
      outcome,
      outputs: { ...decision.outputs },
      signals: [...decision.signals],
      receipt: { ...decision.receipt },
      warnings: [...decision.warnings],
      error,
    },
  ];
}

/**
 * Closes the sessions that nobody will continue. Those of a step that failed stay, for the operator to resume; all
 * that is still live is closed with the run.
 */
function closeSessions(
  { plan, state }: Pick<Moment, 'plan' | 'state'>,
  activation: ActivationState,
): RunEvent[] {
  const ready = activation.sessionIds.filter((id) => state.sessions[id]?.status === 'ready');
  if (ready.length === 0) return [];
  const step = plan.steps.get(activation.stepId);
  const continued = [...plan.steps.values()].some(
    (other) => other.bound.sessions.continues && other.ancestors.includes(activation.stepId),
  );
  if (step?.bound.sessions.persist === true || continued) return [];
  return ready.map((sessionId) => ({ type: 'session.closed', sessionId }));
}

/** Ends an activation without its module: what it has made so far stays in the run. */
export function endActivation(
  moment: Pick<Moment, 'plan' | 'state'>,
  activation: ActivationState,
  error: AppError | 'cancelled',
): RunEvent[] {
  const end =
    error === 'cancelled'
      ? { outcome: 'cancelled' as const, error: null }
      : { outcome: 'failed' as const, error };
  return finish(moment, activation, { ...end, outputs: {}, signals: [], receipt: {}, warnings: [] });
}
