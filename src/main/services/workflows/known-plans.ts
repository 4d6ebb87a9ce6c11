import { isDeepStrictEqual } from 'node:util';
import { own } from '@contract/own';
import type { WorkflowDefinition } from '@contract/workflow/definition';
import { makePlan, type PlanContext } from '../../core/engine/plan/plan';
import type { StepRegistry } from '../../core/step/module';

/** What a workflow's plan depends on besides its definition. */
type Around = Required<Pick<PlanContext, 'profiles' | 'defaultProfile' | 'called'>>;

interface Planned {
  readonly around: Around;
  readonly made: ReturnType<typeof makePlan>;
}

/** Caches the plans of definitions in use: a plan is remade only if something it depends on has changed. */
export class KnownPlans {
  readonly #plans = new WeakMap<WorkflowDefinition, Planned>();

  constructor(private readonly registry: StepRegistry) {}

  planOf(definition: WorkflowDefinition, around: Around): Planned['made'] {
    const known = this.#plans.get(definition);
    if (known !== undefined && isSame(known.around, around)) return known.made;
    const made = makePlan(definition, { registry: this.registry, ...around });
    this.#plans.set(definition, { around, made });
    return made;
  }
}

/** Called files are compared by object identity. */
const isSame = (one: Around, other: Around): boolean =>
  one.defaultProfile === other.defaultProfile &&
  Object.keys(one.called).length === Object.keys(other.called).length &&
  Object.entries(one.called).every(([file, definition]) => own(other.called, file) === definition) &&
  isDeepStrictEqual(one.profiles, other.profiles);
