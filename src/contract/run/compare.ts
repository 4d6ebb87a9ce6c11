import { own } from '../own';
import { bundleText } from '../workflow/bundle-text';
import type { ComparedStep, StepComparison } from './comparison';
import { stepTitle } from './scope/path';
import type { ActivationState, RunState } from './state';

/** Compares two runs step by step; steps of the first one first, in its order. */
export function compareRuns(a: RunState, b: RunState): StepComparison[] {
  const ids = new Set([...a.definition.steps, ...b.definition.steps].map(({ id }) => id));
  return [...ids].map((stepId): StepComparison => {
    const [left, right] = [comparedStep(a, stepId), comparedStep(b, stepId)];
    return {
      stepId,
      title: stepTitle(stepIn(a, stepId) === undefined ? b : a, stepId),
      a: left,
      b: right,
      changed: JSON.stringify(stepIn(a, stepId)) !== JSON.stringify(stepIn(b, stepId)),
    };
  });
}

const stepIn = ({ definition }: RunState, stepId: string) => definition.steps.find(({ id }) => id === stepId);

function comparedStep(state: RunState, stepId: string): ComparedStep | null {
  if (stepIn(state, stepId) === undefined) return null;
  const step = own(state.steps, stepId);
  const mine = (step?.activationIds ?? []).flatMap((id) => state.activations[id] ?? []);
  const last = mine.at(-1);
  const all = withinAll(state, stepId, mine);
  const isAdopted = last?.adopted !== undefined;
  const isOver = mine.length > 0 && !isAdopted && mine.every(({ finishedAt }) => finishedAt !== null);
  return {
    outcome: outcomeOf(step?.skipped != null, last),
    isAdopted,
    attempts: mine.length,
    ...usedBy(state, all),
    ms: isOver ? mine.reduce((sum, one) => sum + (one.finishedAt ?? 0) - one.startedAt, 0) : null,
  };
}

function outcomeOf(isSkipped: boolean, last: ActivationState | undefined): ComparedStep['outcome'] {
  if (isSkipped) return 'skipped';
  if (last === undefined) return 'pending';
  return last.status === 'running' ? 'running' : (last.outcome ?? 'failed');
}

/** The output of a step as text; null where it has none. */
export function outputText(state: RunState, stepId: string): string | null {
  const ids = own(state.steps, stepId)?.activationIds ?? [];
  const last = state.activations[ids.at(-1) ?? 0];
  const bundle = last?.outputs.data_out ?? Object.values(last?.outputs ?? {})[0];
  return bundle === undefined ? null : bundleText(bundle);
}

/** With those of the scopes that it opened: their keys lie below its own. */
function withinAll(state: RunState, stepId: string, top: readonly ActivationState[]): ActivationState[] {
  const inner = Object.values(state.activations).filter(({ stepId: key }) => {
    if (!key.startsWith(stepId)) return false;
    return /^(?:#\d+)?(?:\[\d+\])?\//.test(key.slice(stepId.length));
  });
  return [...top, ...inner];
}

function usedBy(state: RunState, all: readonly ActivationState[]): Pick<ComparedStep, 'tokens' | 'costUsd'> {
  const turns = all.flatMap(({ turnIds }) => turnIds).flatMap((id) => state.turns[id]?.usage ?? []);
  const sum = (of: (usage: (typeof turns)[number]) => number | null | undefined): number | null => {
    const told = turns.flatMap((usage) => of(usage) ?? []);
    return told.length === 0 ? null : told.reduce((total, one) => total + one, 0);
  };
  return {
    tokens: sum(
      ({ total_tokens, input_tokens, output_tokens }) =>
        total_tokens ??
        (input_tokens == null && output_tokens == null ? null : (input_tokens ?? 0) + (output_tokens ?? 0)),
    ),
    costUsd: sum(({ cost_usd }) => cost_usd),
  };
}
