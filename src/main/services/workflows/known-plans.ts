import { isDeepStrictEqual } from 'node:util';
import { own } from '@contract/own';
import type { WorkflowDefinition } from '@contract/workflow/definition';
import { makePlan, type PlanContext } from '../../core/engine/plan/plan';
import type { StepRegistry } from '../../core/step/module';

/** What else than its definition the plan of a workflow depends on. */
type Around = Required<Pick<PlanContext, 'profiles' | 'defaultProfile' | 'called'>>;

interface Planned {
  readonly around: Around;
  readonly made: ReturnType<typeof makePlan>;
}

/** The plans of definitions that are still in use: one is made again only where something that it depends on changed. */
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

/** Called files are the same where they are the same objects. */
const isSame = (one: Around, other: Around): boolean =>
  one.defaultProfile === other.defaultProfile &&
  Object.keys(one.called).length === Object.keys(other.called).length &&
  Object.entries(one.called).every(([file, definition]) => own(other.called, file) === definition) &&
  isDeepStrictEqual(one.profiles, other.profiles);
