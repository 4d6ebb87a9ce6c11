import type { ActivationState, RunState } from '@contract/run/state';
import type { InCable, Plan, PlannedStep } from './plan';

export interface InputRef {
  readonly port: string;
  readonly activationId: number;
  readonly fromPort: string;
}

/**
 * `settled`: its newest activation has ended and nothing before it is to run again. `ready`: may start now, with
 * these inputs. `closed`: cannot start any more, because what it depends on ended without firing.
 */
export type StepPlace =
  | { readonly place: 'settled'; readonly last: ActivationState }
  | { readonly place: 'running' }
  | { readonly place: 'ready'; readonly inputs: readonly InputRef[] }
  | { readonly place: 'waiting' }
  | { readonly place: 'closed'; readonly because: string };

/**
 * Where every step of a run stands. A step runs when all that it depends on is settled and fired; it runs again when
 * one of its sources has a newer activation than the one it used, or a gate led back to it. Working through the plan
 * in order makes sure that nothing runs on a mixture of old and new inputs.
 */
export function placeSteps(plan: Plan, state: RunState): Map<string, StepPlace> {
  const places = new Map<string, StepPlace>();
  for (const id of plan.order) {
    const step = plan.steps.get(id);
    if (step) places.set(id, placeStep(step, state, places));
  }
  return places;
}

export function lastActivation(state: RunState, stepId: string): ActivationState | null {
  const ids = state.steps[stepId]?.activationIds;
  const id = ids?.[ids.length - 1];
  return id === undefined ? null : (state.activations[id] ?? null);
}

function placeStep(step: PlannedStep, state: RunState, places: Map<string, StepPlace>): StepPlace {
  const last = lastActivation(state, step.definition.id);
  if (last?.status === 'running') return { place: 'running' };
  const inputs: InputRef[] = [];
  let stale = last === null;
  for (const cable of step.cables) {
    if (cable.back) continue;
    const source = places.get(cable.fromStep);
    if (
      source === undefined ||
      source.place === 'running' ||
      source.place === 'ready' ||
      source.place === 'waiting'
    ) {
      return { place: 'waiting' };
    }
    if (source.place === 'closed') return closedOr(last, source.because);
    if (!fired(source.last, cable)) return closedOr(last, whyNot(source.last, cable));
    inputs.push({ port: cable.port, activationId: source.last.id, fromPort: cable.fromPort });
    if (
      !last?.inputs.some(
        (input) =>
          input.port === cable.port &&
          input.fromPort === cable.fromPort &&
          input.activationId === source.last.id,
      )
    ) {
      stale = true;
    }
  }
  for (const cable of step.cables) {
    const back = cable.back ? pendingRevision(cable, last, state) : null;
    if (back === null) continue;
    inputs.push({ port: cable.port, activationId: back.id, fromPort: cable.fromPort });
    stale = true;
  }
  if (!stale && last !== null) return { place: 'settled', last };
  return { place: 'ready', inputs };
}

/** A step that ran once and whose source then ended otherwise keeps what it has: its result stands in the run. */
function closedOr(last: ActivationState | null, because: string): StepPlace {
  return last === null ? { place: 'closed', because } : { place: 'settled', last };
}

function fired(activation: ActivationState, cable: InCable): boolean {
  return activation.signals.includes(cable.fromPort);
}

function whyNot(activation: ActivationState, cable: InCable): string {
  if (activation.outcome === 'succeeded') return `${cable.fromStep} did not fire ${cable.fromPort}`;
  return `${cable.fromStep} ${activation.outcome ?? 'did not end'}`;
}

/** The newest answer of a gate that leads back to this step and that it has not taken up yet. */
function pendingRevision(
  cable: InCable,
  last: ActivationState | null,
  state: RunState,
): ActivationState | null {
  const source = lastActivation(state, cable.fromStep);
  if (source === null || source.status !== 'finished' || !fired(source, cable)) return null;
  const taken = state.steps[last?.stepId ?? '']?.activationIds.some((id) =>
    state.activations[id]?.inputs.some(
      (input) => input.activationId === source.id && input.fromPort === cable.fromPort,
    ),
  );
  return taken === true ? null : source;
}
