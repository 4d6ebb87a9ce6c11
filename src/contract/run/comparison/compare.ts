import { storedText } from '@areas/workflows/contract/bundle-text';
import type { StepDefinition } from '@areas/workflows/contract/definition';
import { ownValue } from '../../own';
import { shownText } from '../../whole-text';
import { bodyOf, MOST_NESTED, ownerOf, scopeOf } from '../scope/path';
import type { ActivationState, RunState } from '../state';
import { activationWaits } from '../waiting';
import type { ComparedStep, StepComparison } from './comparison';

interface ComparedRow extends StepComparison {
  /** The outputs of both; null if there is none. */
  readonly texts: readonly [string | null, string | null];
}

/** Compares two runs step by step, in the order of the first run; each step comes before those inside it. */
export const compareRuns = (a: RunState, b: RunState): ComparedRow[] =>
  rowsOf(sideOf(a), sideOf(b), { depth: 0, before: '' });

const sideOf = (run: RunState): Side => ({ run, index: indexOf(run), places: placesOf(run), taken: null });

/** A step as defined in its workflow, however often it is executed. */
interface PlacedStep {
  /** Its id, or the name of a variant. */
  readonly name: string;
  readonly title: string;
  readonly step: StepDefinition;
  /** The ids of the enclosing steps, and its own. */
  readonly path: string;
  /** Matches its keys in the run. */
  readonly keys: RegExp;
  readonly within: RegExp;
  readonly inner: readonly PlacedStep[];
}

/**
 * All places of a workflow. Steps that a module creates in a scope count as part of the step that opened it.
 */
function placesOf(run: RunState): readonly PlacedStep[] {
  const level = (steps: readonly StepDefinition[], before: string, path: string): readonly PlacedStep[] =>
    steps.map((step) => {
      const key = `${before}${step.id}`;
      const place = {
        name: step.id,
        title: step.title ?? step.id,
        step,
        path: `${path}${step.id}`,
        keys: new RegExp(`^${key}$`),
        within: new RegExp(`^${key}(?:#\\d+)?(?:\\[\\d+\\])?/`),
      };
      const body = (index: number | null, scope: string): readonly PlacedStep[] =>
        level(bodyOf(run, step, index)?.steps ?? [], `${key}(?:#\\d+)?${scope}/`, `${place.path}/`);
      if (path.split('/').length > MOST_NESTED) return { ...place, inner: [] };
      const variants = variantNames(step);
      const inner =
        variants?.flatMap((name, at) =>
          body(at + 1, `\\[${at + 1}\\]`).map((one) => ({ ...one, name, title: name })),
        ) ?? body(null, '(?:\\[\\d+\\])?');
      return { ...place, inner };
    });
  return level(run.definition.steps, '', '');
}

/** The names of an experiment's variants; null for any other step. */
function variantNames({ config }: StepDefinition): string[] | null {
  const { target, variants } = config ?? {};
  if (target === undefined || !Array.isArray(variants)) return null;
  return variants.map((one, at) => {
    const name = typeof one === 'object' && one !== null && !Array.isArray(one) ? one.name : null;
    return typeof name === 'string' ? name : `Variant ${at + 1}`;
  });
}

interface Side {
  readonly run: RunState;
  readonly index: ReturnType<typeof indexOf>;
  readonly places: readonly PlacedStep[];
  /** The enclosing step whose result was adopted from an earlier run, so that nothing inside was executed. */
  readonly taken: ComparedStep | null;
}

interface Around {
  readonly depth: number;
  /** The id prefix of these steps. */
  readonly before: string;
}

function rowsOf(a: Side, b: Side, { depth, before }: Around): ComparedRow[] {
  const names = new Set([...a.places, ...b.places].map(({ name }) => name));
  return [...names].flatMap((name) => {
    const left = placeIn(a, name);
    const right = placeIn(b, name);
    const stepId = `${before}${name}`;
    const row: ComparedRow = {
      stepId,
      title: (left ?? right)?.place.title ?? name,
      depth,
      a: left?.compared ?? null,
      b: right?.compared ?? null,
      changed: JSON.stringify(left?.place.step) !== JSON.stringify(right?.place.step),
      texts: [left?.text ?? null, right?.text ?? null],
    };
    return [row, ...rowsOf(inside(a, left), inside(b, right), { depth: depth + 1, before: `${stepId}/` })];
  });
}

type StepInRun = NonNullable<ReturnType<typeof placeIn>>;

function placeIn(side: Side, name: string) {
  const { run, places, taken, index } = side;
  const place = places.find((one) => one.name === name);
  if (place === undefined) return null;
  const mine = index.of(place);
  const last = decisive(run, mine);
  const compared = mine.length === 0 && taken !== null ? taken : comparedStep(side, place, { mine, last });
  return { place, compared, text: last === undefined ? null : outputText(last) };
}

const inside = (side: Side, found: StepInRun | null): Side => ({
  ...side,
  places: found?.place.inner ?? [],
  taken: found?.compared.isAdopted ? found.compared : null,
});

/** The activation that decides how a step went: the newest, or that of an item that did not succeed. */
function decisive(run: RunState, mine: readonly ActivationState[]): ActivationState | undefined {
  const newest = new Map(mine.map((one) => [one.stepId, one]));
  const ofItems = [...newest.values()].filter(({ stepId }) => {
    const scope = ownValue(run.scopes, scopeOf(stepId) ?? '');
    return scope !== undefined && Object.hasOwn(scope.values, 'ITEM');
  });
  return ofItems.find(({ outcome }) => outcome !== null && outcome !== 'succeeded') ?? mine.at(-1);
}

interface Activations {
  readonly mine: readonly ActivationState[];
  /** The decisive activation. */
  readonly last: ActivationState | undefined;
}

function comparedStep({ run, index }: Side, place: PlacedStep, { mine, last }: Activations): ComparedStep {
  const isAdopted = last?.adopted !== undefined;
  const isOver = mine.length > 0 && !isAdopted && mine.every(({ finishedAt }) => finishedAt !== null);
  return {
    outcome: outcomeOf(run, index.isSkipped(place), last),
    isAdopted,
    attempts: mine.length,
    ...usedBy(run, [...mine, ...index.inside(place)]),
    ms: isOver ? mine.reduce((sum, one) => sum + (one.finishedAt ?? 0) - one.startedAt, 0) : null,
  };
}

function outcomeOf(
  state: RunState,
  isSkipped: boolean,
  last: ActivationState | undefined,
): ComparedStep['outcome'] {
  if (isSkipped) return 'skipped';
  if (last === undefined) return 'pending';
  if (last.status !== 'running') return last.outcome ?? 'failed';
  return activationWaits(state, last) ? 'waiting' : 'running';
}

/** The output of an activation as text; null if it has none. */
function outputText({ outputs }: ActivationState): string | null {
  const bundle = outputs.data_out ?? Object.values(outputs)[0];
  return bundle === undefined ? null : shownText(storedText(bundle));
}

/** The ids of the enclosing steps and its own: a key without passes, items and attempts. */
const pathOf = (key: string): string => key.split('/').map(ownerOf).join('/');

function groups<T>(all: readonly T[], by: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const made = new Map<string, T[]>();
  for (const one of all) {
    const mine = made.get(by(one));
    if (mine === undefined) made.set(by(one), [one]);
    else mine.push(one);
  }
  return made;
}

/** Index by place, for runs with many thousand activations. */
function indexOf({ activations, steps }: RunState) {
  const all = Object.values(activations).map((one) => ({ path: pathOf(one.stepId), one }));
  const at = groups(all, ({ path }) => path);
  const keys = groups(Object.keys(steps), pathOf);
  return {
    of: ({ path, keys: mine }: PlacedStep) =>
      (at.get(path) ?? []).flatMap(({ one }) => (mine.test(one.stepId) ? [one] : [])),
    inside: ({ path, within }: PlacedStep) =>
      all.flatMap(({ path: other, one }) =>
        other.startsWith(`${path}/`) && within.test(one.stepId) ? [one] : [],
      ),
    isSkipped: ({ path, keys: mine }: PlacedStep) => {
      const last = keys.get(path)?.findLast((key) => mine.test(key));
      return last !== undefined && ownValue(steps, last)?.skipped != null;
    },
  };
}

function usedBy(state: RunState, all: readonly ActivationState[]): Pick<ComparedStep, 'tokens' | 'costUsd'> {
  const turns = all.flatMap(({ turnIds }) => turnIds).flatMap((id) => state.turns[id]?.usage ?? []);
  const sum = (of: (usage: (typeof turns)[number]) => number | null | undefined): number | null => {
    const reported = turns.flatMap((usage) => of(usage) ?? []);
    return reported.length === 0 ? null : reported.reduce((total, one) => total + one, 0);
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
