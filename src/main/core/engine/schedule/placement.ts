import type { AppError } from '@contract/errors';
import { ownValue } from '@contract/own';
import type { SkipCause } from '@contract/run/activation/events';
import { stepTitle } from '@contract/run/scope/path';
import type { ActivationState, RunState } from '@contract/run/state';
import type { InCable, Plan, PlannedStep } from '../plan/plan';
import { lastActivation } from './last-activation';
import { askCondition } from './step-condition';
import { type Standing, type Standings, unmetWords, verdict } from './trigger-rule';

export interface InputRef {
  readonly port: string;
  readonly activationId: number;
  readonly fromPort: string;
}

/** A step that cannot start. `failed`: because an earlier step failed. */
interface Closed {
  readonly place: 'closed';
  readonly because: string;
  readonly cause: SkipCause;
  readonly failed: boolean;
  /** What it would have started with, had its condition been true. */
  readonly inputs: readonly InputRef[];
}

/**
 * `settled`: its newest activation has ended and no earlier step will run again. `ready`: may start now with
 * these inputs; with `fails`, to fail at once. `retrying`: failed, and waits for its next attempt. `closed`:
 * skipped.
 */
export type StepPlace =
  | { readonly place: 'settled'; readonly last: ActivationState }
  | { readonly place: 'running' }
  | {
      readonly place: 'ready';
      readonly inputs: readonly InputRef[];
      readonly sources?: readonly number[];
      readonly fails?: AppError;
    }
  | { readonly place: 'waiting' }
  | { readonly place: 'retrying' }
  | Closed;

export const WAITING: StepPlace = { place: 'waiting' };
/** Characters of a condition shown as the reason of a skip. */
const LONGEST_CONDITION = 300;
/** Why a step itself does not run, whatever came before it. */
const OWN_CAUSES: ReadonlySet<SkipCause> = new Set(['condition', 'disabled']);
const NO_INPUTS: readonly InputRef[] = [];
const RUNNING: StepPlace = { place: 'running' };
const RETRYING: StepPlace = { place: 'retrying' };

/** A cable or reference, with what its target knows about its source. */
export interface InEdge {
  /** Null: a reference, whose source must be decided first, whatever its outcome. */
  readonly cable: InCable | null;
  readonly source: number;
  readonly target: number;
  standing: Standing | 'known';
}

interface Surroundings {
  readonly plan: Plan;
  readonly state: RunState;
  readonly edges: readonly InEdge[];
  readonly standings: Standings;
  readonly placeOf: (edge: InEdge) => StepPlace;
}

/** The state of a cable or reference, given the place of its source. */
export function standingOf(place: StepPlace, cable: InCable | null): InEdge['standing'] {
  const decided = place.place === 'settled' || place.place === 'closed';
  if (!decided) return 'open';
  if (cable === null) return 'known';
  if (place.place === 'closed' && cable.firesWhenSkipped && OWN_CAUSES.has(place.cause)) return 'fired';
  if (place.place === 'closed') return place.failed ? 'failed' : 'missed';
  if (fired(place.last, cable)) return 'fired';
  const { outcome } = place.last;
  return outcome === 'succeeded' || outcome === 'revised' ? 'missed' : 'failed';
}

export function placeStep(step: PlannedStep, around: Surroundings): StepPlace {
  const { state, standings } = around;
  const last = lastActivation(state, step.definition.id);
  if (last?.status === 'running') return RUNNING;
  const rule = step.triggerRule;
  const decision = verdict(rule, standings);
  if (decision === 'wait') return WAITING;
  if (decision === 'skip') return skipped(step, around);
  const { inputs, sources, stale } = gather(last, around);
  const revisions = revisionsOf(step, state).filter((revision) => !isTaken(revision, state));
  if (last !== null && !stale && revisions.length === 0) {
    if (last.retryTimer === undefined) return { place: 'settled', last };
    if (state.timers[last.retryTimer]?.fired !== true) return RETRYING;
  }
  if (step.definition.disabled === true) return closed('disabled', 'it is switched off', inputs);
  const condition = askCondition(step, around);
  if (condition?.ok && !condition.value) return unmet(step, inputs);
  return {
    place: 'ready',
    ...(condition?.ok === false ? { fails: condition.error } : {}),
    inputs: [...inputs, ...(revisions.length > 0 ? revisionsOf(step, state) : []).map(({ input }) => input)],
    ...(rule === 'all_success' ? {} : { sources }),
  };
}

/** In a scope that has ended or starts nothing more, only running steps finish. */
export function placeOfClosed(step: PlannedStep, state: RunState): StepPlace {
  const last = lastActivation(state, step.definition.id);
  if (last === null) return WAITING;
  return last.status === 'running' ? RUNNING : { place: 'settled', last };
}

/** The inputs from the cables, and whether they differ from those of the step's newest activation. */
function gather(last: ActivationState | null, { state, edges, placeOf }: Surroundings) {
  const inputs: InputRef[] = [];
  const sources = new Set<number>();
  let stale = last === null;
  for (const edge of edges) {
    const { cable } = edge;
    if (cable === null) continue;
    const place = placeOf(edge);
    const source = place.place === 'settled' ? place.last : null;
    if (source !== null && edge.standing === 'fired') {
      inputs.push({ port: cable.port, activationId: source.id, fromPort: cable.fromPort });
      stale ||= !used(last, cable, source);
    } else if (place.place === 'closed' && edge.standing === 'fired') {
      // A skipped step that lets the run go on hands over what led to it, so order and folder stay.
      const behind = place.inputs.flatMap(({ activationId }) => state.activations[activationId] ?? []);
      for (const { id } of behind)
        inputs.push({ port: cable.port, activationId: id, fromPort: cable.fromPort });
      stale ||= behind.some((one) => !used(last, cable, one));
    } else {
      if (source !== null) sources.add(source.id);
      stale ||= inputsOver(last, cable).some(
        ({ activationId }) => state.activations[activationId]?.stepId === cable.fromStep,
      );
      stale ||= source !== null && last?.sources?.includes(source.id) !== true;
    }
  }
  return { inputs, sources: [...sources], stale };
}

const unmet = ({ definition }: PlannedStep, inputs: readonly InputRef[]): Closed =>
  closed('condition', `its condition is false: ${shownCondition(definition.when ?? '')}`, inputs);

/** One that is longer than its reason should be ends with a mark. */
function shownCondition(when: string): string {
  const text = when.trim();
  if (text.length <= LONGEST_CONDITION) return text;
  return `${text.slice(0, LONGEST_CONDITION)} … (${text.length} characters in all)`;
}

const closed = (cause: SkipCause, because: string, inputs: readonly InputRef[]): Closed => ({
  place: 'closed',
  because,
  cause,
  failed: false,
  inputs,
});

function skipped(step: PlannedStep, around: Surroundings): Closed {
  const { standings } = around;
  const rule = step.triggerRule;
  const failed = standings.failed > 0;
  if (rule === 'one_success' || rule === 'none_failed_min_one_success')
    return {
      place: 'closed',
      because: unmetWords(rule, standings),
      cause: 'trigger_rule',
      failed,
      inputs: NO_INPUTS,
    };
  const cause = failed ? 'upstream_failed' : 'upstream_skipped';
  return { place: 'closed', because: upstreamWords(around, failed), cause, failed, inputs: NO_INPUTS };
}

/** Names the step where the skip originated; if nothing failed, the previous step. */
function upstreamWords({ state, edges, placeOf }: Surroundings, failed: boolean): string {
  const edge = edges.find(({ standing }) => standing === (failed ? 'failed' : 'missed'));
  if (edge?.cable == null) return 'what it depends on was skipped';
  const place = placeOf(edge);
  const name = titleOf(state, edge.cable.fromStep);
  if (place.place === 'settled')
    return failed ? `${name} ${place.last.outcome ?? 'did not end'}` : `${name} took another path`;
  return place.place === 'closed' && failed ? place.because : `${name} was skipped`;
}

const titleOf = (state: RunState, stepId: string): string => stepTitle(state, stepId);

const fired = (activation: ActivationState, cable: InCable): boolean =>
  activation.signals.includes(cable.fromPort);

const inputsOver = (last: ActivationState | null, cable: InCable): InputRef[] =>
  (last?.inputs ?? []).filter(({ port, fromPort }) => port === cable.port && fromPort === cable.fromPort);

function used(last: ActivationState | null, cable: InCable, source: ActivationState): boolean {
  const over = inputsOver(last, cable);
  // What ran before such cables were waited for is not run again because of one.
  if (cable.dangling && over.length === 0) return true;
  return over.some(({ activationId }) => activationId === source.id) && !isRedone(last, source);
}

/** The source was resumed since, and ended with another result. */
const isRedone = (last: ActivationState | null, { redoneAfter = 0 }: ActivationState): boolean =>
  last !== null && last.id <= redoneAfter;

interface Revision {
  readonly stepId: string;
  readonly input: InputRef;
}

/**
 * Requests from the steps that lead back to this one. A request stays until the step looks again; if another
 * arrives while it works, it gets both.
 */
function revisionsOf({ definition, cables }: PlannedStep, state: RunState): Revision[] {
  return cables.flatMap((cable) => {
    const source = cable.back ? lastActivation(state, cable.fromStep) : null;
    if (source === null || source.status !== 'finished' || !fired(source, cable)) return [];
    const input = { port: cable.port, activationId: source.id, fromPort: cable.fromPort };
    return [{ stepId: definition.id, input }];
  });
}

const isTaken = ({ stepId, input }: Revision, state: RunState): boolean =>
  (ownValue(state.steps, stepId)?.activationIds ?? []).some((id) =>
    state.activations[id]?.inputs.some(
      ({ activationId, fromPort }) => activationId === input.activationId && fromPort === input.fromPort,
    ),
  );
