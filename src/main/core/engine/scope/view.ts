import type { ContextBundle } from '@areas/workflows/contract/definition';
import type { Json } from '@contract/ids';
import { ownValue } from '@contract/own';
import { keyIn, scopePath } from '@contract/run/scope/path';
import { spent } from '@contract/run/spend';
import type { ActivationState, RunState, ScopeState } from '@contract/run/state';
import { bundleText } from '../../step/output/bundle';
import type { ScopeSpent, ScopesView } from '../../step/scope';
import { branchOfScope } from '../folders/workspace';
import { wholeBundle } from '../large-texts';
import { covered, workSpans } from '../limits/work-time';
import type { Plan } from '../plan/plan';
import { planOfScope } from '../plan/tree';
import { lastActivation } from '../schedule/last-activation';
import { newestIn } from './end';

/** What a module sees of its activation's scopes. */
export function viewScopes(plan: Plan, state: RunState, activation: ActivationState): ScopesView {
  const { opened = 0, open = 0, failed = 0 } = activation.scopes ?? {};
  return {
    opened,
    open,
    failed,
    beforeResume: activation.resumedAtScope ?? 0,
    at(index) {
      const scope = ownValue(state.scopes, scopePath(activation, index));
      if (scope === undefined) return null;
      const { status, outcome, error } = scope;
      return {
        ended: status === 'ended',
        outcome,
        error,
        output: () => scopeOutput(plan, state, scope),
        commit: () => commitIn(plan, state, scope),
        branch: () => branchOfScope(state, scope),
        spent: () => spentIn(state, scope),
      };
    },
  };
}

/**
 * A scope's output: that of the step named by its body, or of the last steps. Several outputs become one JSON
 * object by step id.
 */
function scopeOutput(plan: Plan, state: RunState, { path }: Pick<ScopeState, 'path'>): ContextBundle | null {
  const inner = planOfScope(plan, path);
  if (inner === null) return null;
  const wanted = inner.lasts;
  const given = wanted.flatMap((id): [string, ContextBundle][] => {
    const key = keyIn(path, id);
    const last = ownValue(state.steps, key)?.skipped == null ? lastActivation(state, key) : null;
    const bundle = last?.outputs.data_out ?? last?.outputs.approved_out;
    return bundle === undefined ? [] : [[id, wholeBundle(plan.texts, bundle)]];
  });
  const [first, ...others] = given;
  if (first === undefined) return null;
  if (others.length === 0) return first[1];
  const content = Object.fromEntries(given.map(([id, bundle]): [string, Json] => [id, bundleText(bundle)]));
  return {
    content,
    source_session_key: null,
    metadata: { merged_from: given.map(([, { metadata }]) => metadata.activation_id ?? null) },
  };
}

function commitIn(plan: Plan, state: RunState, { path }: ScopeState): string | null {
  const turns = newestIn({ plan, state }, path).flatMap(({ turnIds }) => turnIds);
  const commits = turns.toSorted((one, other) => one - other).flatMap((id) => state.turns[id]?.commit ?? []);
  return commits.at(-1) ?? null;
}

/** Usage of every attempt in the scope and its inner scopes. */
function spentIn(state: RunState, { path }: Pick<ScopeState, 'path'>): ScopeSpent {
  const within = Object.values(state.activations).filter(({ stepId }) => stepId.startsWith(`${path}/`));
  const turns = within.flatMap(({ turnIds }) => turnIds.flatMap((id) => state.turns[id] ?? []));
  const commands = within.flatMap(({ commandIds }) => commandIds.flatMap((id) => state.commands[id] ?? []));
  const usages = turns.flatMap(({ usage }) => usage ?? []);
  const sum = usages.reduce(spent, { tokens: 0, cost_usd: 0, untold: 0 });
  const spans = workSpans({ turns, commands }, Object.values(state.gates), state.at);
  return {
    tokens: usages.length === 0 ? null : sum.tokens,
    cost_usd: usages.some(({ cost_usd }) => cost_usd != null) ? sum.cost_usd : null,
    seconds: covered(spans) / 1_000,
  };
}
