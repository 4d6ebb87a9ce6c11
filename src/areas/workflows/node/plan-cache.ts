import { isDeepStrictEqual } from 'node:util';
import { ownValue } from '@contract/own';
import { makePlan, type PlanContext } from '@main/core/engine/plan/plan';
import type { StepRegistry } from '@main/core/step/module';
import type { WorkflowDefinition } from '../contract/definition';
import type { TextPlace } from '../core/reference/preview';

/** What a workflow's plan depends on besides its definition. */
type Around = Required<Pick<PlanContext, 'profiles' | 'defaultProfile' | 'called'>>;
type Called = Around['called'];

interface Planned {
  readonly around: Around;
  readonly made: ReturnType<typeof makePlan>;
}

/** Caches the plans of definitions in use: a plan is remade only if something it depends on has changed. */
export class PlanCache {
  readonly #plans = new WeakMap<WorkflowDefinition, Planned>();
  readonly #texts = new WeakMap<WorkflowDefinition, { called: Called; places: readonly TextPlace[] }>();

  constructor(private readonly registry: StepRegistry) {}

  planOf(definition: WorkflowDefinition, around: Around): Planned['made'] {
    const known = this.#plans.get(definition);
    if (known !== undefined && isSame(known.around, around)) return known.made;
    const made = makePlan(definition, { registry: this.registry, ...around });
    this.#plans.set(definition, { around, made });
    return made;
  }

  /** The texts that the steps of a definition may have, whatever the profiles. */
  textsOf(definition: WorkflowDefinition, called: Called): readonly TextPlace[] {
    const known = this.#texts.get(definition);
    if (known !== undefined && areSame(known.called, called)) return known.places;
    const places: TextPlace[] = [];
    const onTexts = (found: readonly TextPlace[]) => places.push(...found);
    makePlan(definition, { registry: this.registry, profiles: {}, defaultProfile: null, called, onTexts });
    this.#texts.set(definition, { called, places });
    return places;
  }
}

/** Compares by identity: a reader that remembers gives the same object for an unchanged file. */
const areSame = (one: Called, other: Called): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([file, definition]) => ownValue(other, file) === definition);

const isSame = (one: Around, other: Around): boolean =>
  one.defaultProfile === other.defaultProfile &&
  areSame(one.called, other.called) &&
  isDeepStrictEqual(one.profiles, other.profiles);
