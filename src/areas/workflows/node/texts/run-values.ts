import { ownValue } from '@contract/own';
import { ok } from '@contract/result';
import { idOf, ownerOf, scopeOf } from '@contract/run/scope/path';
import type { ActivationState, RunState, ScopeState } from '@contract/run/state';
import { previewText, type WholeText } from '@contract/whole-text';
import { runVariable } from '@main/core/engine/schedule/run-variables';
import { outputBundle, storedText } from '../../contract/bundle-text';
import type { StepPath } from '../../contract/edit';
import type { Values } from '../../core/reference/values';

/**
 * Values for a step's references from a run whose steps may differ: for each name the newest value in the
 * innermost scope that has one. `$LOOP_PREV` reads the newest pass too.
 */
export function runValues(state: RunState, step: StepPath): Values {
  const scopes = Object.values(state.scopes)
    .filter(({ path }) => isAround(path, step))
    .toSorted(
      (a, b) =>
        depthOf(b.path) - depthOf(a.path) ||
        b.activationId - a.activationId ||
        (b.index ?? 0) - (a.index ?? 0),
    );
  return {
    step: (id) => {
      const last = newest(state, { id, step });
      if (last === null) return null;
      const status = last.status === 'running' ? 'running' : (last.outcome ?? 'failed');
      const bundle = outputBundle(last.outputs);
      const output = bundle === undefined ? '' : storedText(bundle);
      return { status, output, error: last.error?.message ?? '', declared: null };
    },
    variable: (name) => valueIn(scopes, name) ?? runVariable(state, name),
    input: (name) => {
      const inputs = scopes.find((scope) => scope.inputs !== null)?.inputs ?? state.references.inputs;
      return ownValue(inputs, name) ?? null;
    },
    // Only shown, while a person writes a text.
    read: (text) => ok(previewText(text)),
  };
}

const depthOf = (path: string): number => path.split('/').length;

/** Whether a scope is a step's own, or encloses it. */
function isAround(path: string, step: StepPath): boolean {
  const owners = path.split('/').map(ownerOf);
  return owners.length <= step.length && owners.every((id, index) => id === step[index]);
}

function newest(state: RunState, { id, step }: { id: string; step: StepPath }): ActivationState | null {
  let found: ActivationState | null = null;
  for (const one of Object.values(state.activations)) {
    if (idOf(one.stepId) !== id) continue;
    const scope = scopeOf(one.stepId);
    if (scope !== null && !isAround(scope, step)) continue;
    const [depth, best] = [depthOf(one.stepId), found === null ? 0 : depthOf(found.stepId)];
    if (depth > best || (depth === best && one.id > (found?.id ?? 0))) found = one;
  }
  return found;
}

function valueIn(scopes: readonly ScopeState[], name: string): WholeText | null {
  for (const { values } of scopes) {
    const value = ownValue(values, name);
    if (value !== undefined) return value;
  }
  return null;
}
