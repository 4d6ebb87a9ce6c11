import { INSIDE, idOf, indexOf, keyIn, ownerOf, scopeOf, titleInScope } from '@contract/run/scope/path';
import type { Inner, Plan, PlannedStep } from './types';

/**
 * The steps of a plan by key. Its own steps are entries; steps of scopes are created from the plan of the
 * owner's body on first lookup, so a fan-out costs nothing before its items start.
 */
export class PlannedSteps extends Map<string, PlannedStep> {
  readonly #scoped = new Map<string, PlannedStep>();

  override get(key: string): PlannedStep | undefined {
    const known = super.get(key) ?? this.#scoped.get(key);
    if (known !== undefined) return known;
    const scope = scopeOf(key);
    const owner = scope === null ? undefined : this.get(ownerOf(scope));
    if (scope === null || owner === undefined) return undefined;
    const planned = planInScope(owner, scope)?.steps.get(idOf(key));
    if (planned === undefined) return undefined;
    const step = inScope(planned, { key, scope, owner });
    this.#scoped.set(key, step);
    return step;
  }
}

interface PlanPlace {
  readonly key: string;
  readonly scope: string;
  readonly owner: PlannedStep;
}

/** A step of a body, as it is in one scope. */
function inScope(planned: PlannedStep, { key, scope, owner }: PlanPlace): PlannedStep {
  const { definition, module, bound, triggerRule, condition, format, connected, inner } = planned;
  let ancestors: readonly string[] | null = null;
  return {
    module,
    bound,
    triggerRule,
    condition,
    format,
    connected,
    inner,
    definition: { ...definition, id: key },
    cables: planned.cables.map((cable) => ({ ...cable, fromStep: keyIn(scope, cable.fromStep) })),
    get ancestors() {
      const around = owner.inner?.isolated === true ? [] : owner.ancestors;
      ancestors ??= [...around, ...planned.ancestors.map((id) => keyIn(scope, id))];
      return ancestors;
    },
    title: `${titleInScope(owner.title, scope)}${INSIDE}${planned.title}`,
  };
}

/** Every step of a plan and its nested bodies; each once, however many scopes it runs in. */
export function allSteps({ steps }: Pick<Plan, 'steps'>): PlannedStep[] {
  return [...steps.values()].flatMap((step) =>
    step.inner === null ? [step] : [step, ...plansOf(step.inner).flatMap(allSteps)],
  );
}

/** The plan of the body that a scope runs; the plan itself if the scope is null. */
export const planOfScope = (plan: Plan, scope: string | null): Plan | null =>
  scope === null ? plan : planInScope(plan.steps.get(ownerOf(scope)), scope);

function planInScope(owner: PlannedStep | undefined, scope: string): Plan | null {
  const { inner = null } = owner ?? {};
  if (inner?.variants === undefined) return inner?.plan ?? null;
  return inner.variants[(indexOf(scope) ?? 0) - 1] ?? null;
}

const plansOf = ({ plan, variants }: Inner): readonly Plan[] => variants ?? [plan];
