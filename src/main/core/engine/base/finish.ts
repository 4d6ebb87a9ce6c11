import { type AppError, appError } from '@contract/errors';
import { WHOLE_TEXT_BYTES } from '@contract/limits';
import type { RunEvent } from '@contract/run/events';
import { keyIn, scopeOf } from '@contract/run/scope/path';
import type { ActivationState, RunState, SessionState } from '@contract/run/state';
import { sizeWords } from '@contract/size-words';
import type { FinishDecision } from '../../step/decision';
import { openGate } from '../gates/gates';
import { isToBeSent } from '../gates/waiting-prompts';
import { excessiveSize } from '../large-texts';
import { planOfScope } from '../plan/tree';
import { lastActivation } from '../schedule/last-activation';
import type { DecisionInput } from './decision-input';
import { retryAfter } from './retry';

export function finish(
  moment: Pick<DecisionInput, 'plan' | 'state'>,
  activation: ActivationState,
  asked: Omit<FinishDecision, 'kind'>,
): RunEvent[] {
  const { state } = moment;
  const decision = withinBounds(asked);
  const withdrawn = activation.gateIds.flatMap((gateId): RunEvent[] =>
    state.gates[gateId]?.status === 'open' && !isAboutPrompt(state, gateId)
      ? [{ type: 'gate.withdrawn', gateId, reason: 'The step that asked has ended.' }]
      : [],
  );
  const { outcome, error } = decision;
  const retry = outcome === 'failed' ? retryAfter(moment, activation, error) : null;
  return [
    ...withdrawn,
    ...(outcome === 'succeeded' || retry !== null ? closeSessions(moment, activation) : []),
    {
      type: 'activation.finished',
      activationId: activation.id,
      outcome,
      outputs: { ...decision.outputs },
      signals: [...decision.signals],
      receipt: { ...decision.receipt },
      warnings: [...decision.warnings],
      error,
      ...(retry === null ? {} : { retryTimer: retry.timerId }),
    },
    ...(retry === null ? [] : [retry]),
    ...(decision.escalation === undefined ? [] : [openGate(state, activation, decision.escalation)]),
  ];
}

/** An output that no reader could take whole is none. */
function withinBounds(decision: Omit<FinishDecision, 'kind'>): Omit<FinishDecision, 'kind'> {
  const sizes = Object.entries(decision.outputs).map(([port, bundle]) => ({
    port,
    bytes: excessiveSize(bundle),
  }));
  const found = sizes.find(({ bytes }) => bytes !== null);
  if (found === undefined) return decision;
  const outputs = Object.fromEntries(
    Object.entries(decision.outputs).filter(([, bundle]) => excessiveSize(bundle) === null),
  );
  const error = appError(
    'step.output_too_large',
    `the output ${found.port} has ${sizeWords(found.bytes ?? 0)}; an output is passed on whole up to ${sizeWords(WHOLE_TEXT_BYTES)}`,
    { mend: 'let its steps give less, or set output_limit at those that print much' },
  );
  return { ...decision, outcome: 'failed', outputs, signals: [], error: decision.error ?? error };
}

/** The question belongs to the operator's own prompt, which does not end with the step. */
const isAboutPrompt = ({ gates, turns }: RunState, gateId: number): boolean =>
  turns[gates[gateId]?.turnId ?? 0]?.promptId != null;

/**
 * Closes sessions that nothing will continue. Sessions of a failed step without retry stay, for the operator
 * to resume; all remaining ones are closed with the run.
 */
function closeSessions(
  { plan, state }: Pick<DecisionInput, 'plan' | 'state'>,
  activation: ActivationState,
): RunEvent[] {
  const ready = [...new Set(activation.sessionIds)].flatMap((id) => state.sessions[id] ?? []);
  if (ready.every((session) => session.status !== 'ready')) return [];
  const step = plan.steps.get(activation.stepId);
  if (step?.bound.sessions.persist === true) return [];
  const scope = scopeOf(activation.stepId);
  const continuing = (planOfScope(plan, scope)?.continuing ?? []).flatMap(
    (id) => plan.steps.get(keyIn(scope, id)) ?? [],
  );
  if (continuing.some(({ ancestors }) => ancestors.includes(activation.stepId))) return [];
  const toCome = continuing.filter(
    ({ definition: { id } }) => id !== activation.stepId && lastActivation(state, id)?.status !== 'finished',
  );
  const how = step?.bound.sessions.parks === true ? 'park' : 'close';
  return ready.flatMap((session) => {
    const works = session.activationIds.flatMap((id) => state.activations[id] ?? []);
    const shared =
      works.some(({ id, status }) => id !== activation.id && status === 'running') ||
      toCome.some(({ ancestors }) => works.some(({ stepId }) => ancestors.includes(stepId)));
    return shared ? [] : releaseSession(state, session, how);
  });
}

/** Releases an idle session; one with prompts from the operator stays until they are answered. */
export function releaseSession(
  state: RunState,
  session: SessionState,
  how: 'close' | 'park' | { readonly parkedBecause: string },
): RunEvent[] {
  const { id: sessionId } = session;
  if (session.status !== 'ready') return [];
  if (session.turnIds.some((id) => state.turns[id]?.status === 'in_flight')) return [];
  if (Object.values(state.prompts).some((one) => one.sessionId === sessionId && isToBeSent(state, one)))
    return [];
  if (how === 'close') return [{ type: 'session.closed', sessionId }];
  const reason = how === 'park' ? 'its step is done and keeps its session' : how.parkedBecause;
  return [{ type: 'session.parked', sessionId, reason }];
}

/** Ends an activation without its module: its results so far stay in the run. */
export function endActivation(
  moment: Pick<DecisionInput, 'plan' | 'state'>,
  activation: ActivationState,
  error: AppError | 'cancelled',
): RunEvent[] {
  const end =
    error === 'cancelled'
      ? { outcome: 'cancelled' as const, error: null }
      : { outcome: 'failed' as const, error };
  return finish(moment, activation, { ...end, outputs: {}, signals: [], receipt: {}, warnings: [] });
}
