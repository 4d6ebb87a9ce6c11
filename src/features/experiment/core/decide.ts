import { type AppError, appError } from '@contract/errors';
import type { FinishDecision, StepDecisions } from '@main/core/step/decision';
import { jsonContent, jsonText, type WithRaw } from '@main/core/step/json';
import type { ActivationView } from '@main/core/step/module';
import { makeBundle } from '@main/core/step/output/bundle';
import { scopeOutput } from '@main/core/step/output/scope-output';
import type { ScopeView } from '@main/core/step/scope';
import type { ExperimentConfig } from './config';

type View = ActivationView<ExperimentConfig>;

/** Every variant runs to its end, even if others fail. */
export function decideExperiment(view: View): StepDecisions {
  const { variants, max_parallel, isolation } = view.config;
  const { opened, open } = view.scopes;
  if (opened < variants.length)
    return open < max_parallel
      ? { kind: 'scope', index: opened + 1, values: {}, isolated: isolation === 'worktree' }
      : [];
  return open > 0 ? [] : compared(view);
}

function compared(view: View): FinishDecision {
  const { stepId, activationId, attempt, config } = view;
  const scopes = config.variants.map((_, at) => view.scopes.at(at + 1));
  const failed = scopes.filter((scope) => scope?.outcome !== 'succeeded').length;
  const { outcome, error } = endOf(view, scopes);
  const origin = { stepId, activationId, sessionKey: null };
  const receipt = { step_id: stepId, attempt, variants: scopes.length, failed };
  const json = jsonText({
    target: config.target.id,
    variants: scopes.map((scope, at) => variantOf(view, scope, at)),
  });
  const outputs = {
    data_out: makeBundle(jsonContent(json), { ...origin, port: 'data_out', kind: 'json' }),
    receipt_out: makeBundle(receipt, { ...origin, port: 'receipt_out', kind: 'json' }),
  };
  const signals = outcome === 'succeeded' ? ['data_out', 'receipt_out', 'signal_out'] : [];
  return { kind: 'finish', outcome, error, outputs, signals, receipt, warnings: [] };
}

/** A variant's result and usage. */
function variantOf({ config }: View, scope: ScopeView | null, at: number): { [key: string]: WithRaw } {
  const { name = '' } = config.variants[at] ?? {};
  if (scope === null) return { name, outcome: 'cancelled', output: null, error: null };
  const { outcome, error } = scope;
  const output = outcome === 'succeeded' ? scopeOutput(scope).content : null;
  return { name, outcome, output, error: error?.message ?? null, branch: scope.branch(), ...scope.spent() };
}

/** Succeeds if at least one variant did. */
function endOf(
  { config }: View,
  scopes: readonly (ScopeView | null)[],
): { outcome: FinishDecision['outcome']; error: AppError | null } {
  const outcomes = scopes.map((scope) => scope?.outcome ?? 'cancelled');
  if (outcomes.includes('rejected')) return { outcome: 'rejected', error: null };
  if (outcomes.includes('succeeded')) return { outcome: 'succeeded', error: null };
  const first = outcomes.indexOf('failed');
  if (first < 0) return { outcome: 'cancelled', error: null };
  const why = scopes[first]?.error ?? appError('step.failed', 'a step failed');
  return { outcome: 'failed', error: { ...why, message: `${config.variants[first]?.name}: ${why.message}` } };
}
