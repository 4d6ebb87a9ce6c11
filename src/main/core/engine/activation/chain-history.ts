import type { ContextBundle } from '@areas/workflows/contract/definition';
import { ownValue } from '@contract/own';
import { idOf, keyIn, scopeOf } from '@contract/run/scope/path';
import type { ActivationState, RunState } from '@contract/run/state';
import type { HistoryEntry } from '../../step/module';
import { bundleText, originsOf } from '../../step/output/bundle';
import { wholeBundle } from '../large-texts';
import type { Plan, PlannedStep } from '../plan/plan';
import { readInputs } from '../schedule/inputs';
import { lastActivation } from '../schedule/last-activation';

export interface Looked {
  readonly plan: Plan;
  readonly state: RunState;
  readonly step: PlannedStep;
  readonly activation: ActivationState;
}

type Inputs = Readonly<Record<string, readonly ContextBundle[]>>;

/** The step's earlier activations. */
export function before({ state, activation }: Looked): ActivationState[] {
  const ids = ownValue(state.steps, activation.stepId)?.activationIds ?? [];
  return ids.flatMap((id) => (id < activation.id ? (state.activations[id] ?? []) : []));
}

/** The step's previous activation: in the same scope, or in the scope that this one continues from. */
export function previousActivation(looked: Looked): ActivationState | undefined {
  const last = before(looked).at(-1);
  if (last !== undefined) return last;
  const { state, activation } = looked;
  const scope = scopeOf(activation.stepId);
  const after = scope === null ? null : ownValue(state.scopes, scope)?.after;
  return after == null
    ? undefined
    : (lastActivation(state, keyIn(after, idOf(activation.stepId))) ?? undefined);
}

/** Ports that carry a step's whole result. A receipt or part of an output does not count. */
const WHOLE: ReadonlySet<unknown> = new Set(['data_out', 'approved_out', 'revise_out']);

function arrivedOf(inputs: Inputs): unknown[] {
  const bundles = Object.values(inputs).flat();
  const whole = ({ metadata }: ContextBundle) =>
    WHOLE.has(metadata.port) || metadata.merged_from !== undefined;
  return bundles.filter(whole).flatMap(originsOf);
}

/** Earlier activations in the session that this one continues. */
function workedInSession({ state, activation }: Looked): ActivationState[] {
  const session = state.sessions[activation.sessionIds.at(-1) ?? 0];
  return (session?.activationIds ?? []).flatMap((id) => {
    const earlier = state.activations[id];
    const sameSession = earlier?.turnIds.some((turnId) => state.turns[turnId]?.sessionId === session?.id);
    return earlier === undefined || earlier.id >= activation.id || !sameSession ? [] : [earlier];
  });
}

/**
 * What the session's conversation already contains: its results, and the inputs and chain history of its
 * prompts.
 */
function knownTo(looked: Looked): ReadonlySet<unknown> {
  const { plan, state } = looked;
  const known = new Set<unknown>();
  for (const earlier of workedInSession(looked)) {
    known.add(earlier.id);
    for (const one of arrivedOf(readInputs({ plan, state, activation: earlier }))) known.add(one);
    for (const stepId of plan.steps.get(earlier.stepId)?.ancestors ?? []) {
      const then = ownValue(state.steps, stepId)?.activationIds.findLast((one) => one < earlier.id);
      if (then !== undefined) known.add(then);
    }
  }
  return known;
}

/** Whether a whole bundle is already in the conversation that this activation continues. */
export function saidInSession(looked: Looked, bundle: ContextBundle): boolean {
  const known = new Set<unknown>(workedInSession(looked).map(({ id }) => id));
  const origins = originsOf(bundle).filter((origin) => origin !== null);
  return origins.length > 0 && origins.every((origin) => known.has(origin));
}

/** The step's own last `data_out`, if it must be revised in a session that has not seen it. */
export function toRevise(looked: Looked, { instruction_in = [] }: Inputs): string | null {
  const last = before(looked).at(-1)?.outputs.data_out;
  const revised = instruction_in.some(({ metadata }) => metadata.port === 'revise_out');
  if (last === undefined || !revised) return null;
  const bundle = wholeBundle(looked.plan.texts, last);
  return saidInSession(looked, bundle) ? null : bundleText(bundle);
}

/**
 * Chain history: the `data_out` of the newest activation of each earlier step, without those that arrive on
 * an input port and those already in the continued session.
 */
export function history(looked: Looked, inputs: Inputs): HistoryEntry[] {
  const { plan, state, step } = looked;
  const arrived = new Set(arrivedOf(inputs));
  const known = knownTo(looked);
  return step.ancestors.flatMap((id) => {
    const source = ownValue(state.steps, id)?.skipped == null ? lastActivation(state, id) : null;
    const bundle = source?.outputs.data_out;
    if (!source || !bundle || arrived.has(source.id) || known.has(source.id)) return [];
    const text = bundleText(wholeBundle(plan.texts, bundle));
    return [{ stepId: id, title: plan.steps.get(id)?.title ?? id, text }];
  });
}
