import { isMap } from '@areas/workflows/contract/change';
import type { StepDefinition, WorkflowBody, WorkflowDefinition } from '@areas/workflows/contract/definition';
import { type Variant, variantStep } from '@areas/workflows/contract/variant';
import { z } from 'zod';
import { ownValue } from '../../own';

/**
 * A step's key is its id after the path of its scope. `review[3]/fix` is the step `fix` in the third scope of
 * `review`; `review#2[3]/fix` the same in the second activation of `review`; `deploy/build` is a step in the
 * only scope of `deploy`.
 */
const STEP = '[A-Za-z_][A-Za-z0-9_-]{0,63}';
const SCOPE = `${STEP}(?:#[1-9]\\d*)?(?:\\[[1-9]\\d*\\])?`;

/** Maximum nesting depth of scopes. */
export const MOST_NESTED = 8;

export const stepKeySchema = z
  .string()
  .max(1000)
  .regex(new RegExp(`^(?:${SCOPE}/)*${STEP}$`), 'a step is named by its id, behind the path of its scope');

export const scopePathSchema = z
  .string()
  .max(1000)
  .regex(new RegExp(`^(?:${SCOPE}/)*${SCOPE}$`), 'a scope is named by the steps that lead to it');

/** The path of a scope that an activation opens. `index` counts from 1; null if it opens only one. */
export const scopePath = (
  { stepId, attempt }: { readonly stepId: string; readonly attempt: number },
  index: number | null,
): string => `${stepId}${attempt > 1 ? `#${attempt}` : ''}${index === null ? '' : `[${index}]`}`;

/** A step's key in a scope; null is the run itself. */
export const keyIn = (scope: string | null, id: string): string => (scope === null ? id : `${scope}/${id}`);

/** A step's scope; null if it belongs to the run itself. */
export function scopeOf(key: string): string | null {
  const end = key.lastIndexOf('/');
  return end < 0 ? null : key.slice(0, end);
}

/** A step's id, as in its workflow. */
export const idOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

/** The key of the step that opened a scope. */
export const ownerOf = (scope: string): string => scope.replace(/(?:#\d+)?(?:\[\d+\])?$/, '');

/** The part after the owner's key: `#2[3]`. */
const placeInOwner = (scope: string): string => scope.slice(ownerOf(scope).length);

/** A scope's number in its activation; null if the step opens only one. */
export function indexOf(scope: string): number | null {
  const [, index] = /\[(\d+)\]$/.exec(scope) ?? [];
  return index === undefined ? null : Number(index);
}

/** Whether a scope is a pass of a loop. */
export const isPass = ({ values }: { readonly values: Readonly<Record<string, unknown>> }): boolean =>
  Object.hasOwn(values, 'LOOP_PREV_OUTPUT');

/** The definitions known to a run. */
export interface Definitions {
  readonly definition: Pick<WorkflowDefinition, 'steps'>;
  /** Files called by its steps, frozen at the start, by the path they are named with. */
  readonly called?: Readonly<Record<string, WorkflowDefinition>> | undefined;
}

/** A step's definition by key; undefined if a module created the step. */
export function stepDefinition(run: Definitions, key: string): StepDefinition | undefined {
  let steps: readonly StepDefinition[] = run.definition.steps;
  let found: StepDefinition | undefined;
  for (const segment of key.split('/')) {
    const id = ownerOf(segment);
    found = steps.find((step) => step.id === id);
    steps = found === undefined ? [] : (bodyOf(run, found, indexOf(segment))?.steps ?? []);
  }
  return found;
}

/** A step's body in a scope, or the file that it calls; null if its module creates the steps. */
export function bodyOf(
  { called }: Definitions,
  { config }: StepDefinition,
  index: number | null,
): InnerSteps | null {
  const { body, file, target, variants } = config ?? {};
  if (isMap(target) && Array.isArray(variants)) {
    const variant = variants[(index ?? 0) - 1];
    if (!isMap(variant)) return null;
    const step = variantStep(target as unknown as StepDefinition, variant as unknown as Variant);
    return { steps: [step], cables: [] };
  }
  if (isMap(body) && Array.isArray(body.steps)) {
    const { steps, cables = [] } = body as unknown as Partial<WorkflowBody>;
    return { steps: steps ?? [], cables };
  }
  return typeof file === 'string' ? (ownValue(called, file) ?? null) : null;
}

type InnerSteps = Pick<WorkflowBody, 'steps' | 'cables'>;

/** A scope's title, made from that of the step that opened it: `The review 3`. */
export function titleInScope(title: string, scope: string): string {
  const [, attempt, index] = /^(?:#(\d+))?(?:\[(\d+)\])?$/.exec(placeInOwner(scope)) ?? [];
  return [title, index, attempt && `(attempt ${attempt})`].filter(Boolean).join(' ');
}

/** Separates the titles of nested steps. */
export const INSIDE = ' › ';

/**
 * A step's full title: its own after those of its enclosing steps. `check[3]/read` is `Check each page 3 ›
 * Read the page`; `#2` is a second attempt.
 */
export function stepTitle(run: Definitions, key: string): string {
  const segments = key.split('/');
  return segments
    .map((segment, at) => {
      const id = ownerOf(segment);
      const title = stepDefinition(run, [...segments.slice(0, at), id].join('/'))?.title;
      return titleInScope(title ?? id, segment);
    })
    .join(INSIDE);
}
