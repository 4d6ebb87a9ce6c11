import { z } from 'zod';
import type { Json } from '../../ids';
import { own } from '../../own';
import type { StepDefinition, WorkflowBody, WorkflowDefinition } from '../../workflow/definition';
import { type Variant, variantStep } from '../../workflow/variant';

/**
 * A step is addressed by its key: its id, behind the path of its scope. `review[3]/fix` is the step `fix` in the third
 * scope of `review`; `review#2[3]/fix` that of the second activation of `review`; `deploy/build` a step of the only scope
 * of `deploy`.
 */
const STEP = '[A-Za-z_][A-Za-z0-9_-]{0,63}';
const SCOPE = `${STEP}(?:#[1-9]\\d*)?(?:\\[[1-9]\\d*\\])?`;

/** So deep may scopes are in each other. */
export const MOST_NESTED = 8;

export const stepKeySchema = z
  .string()
  .max(1000)
  .regex(new RegExp(`^(?:${SCOPE}/)*${STEP}$`), 'a step is named by its id, behind the path of its scope');

export const scopePathSchema = z
  .string()
  .max(1000)
  .regex(new RegExp(`^(?:${SCOPE}/)*${SCOPE}$`), 'a scope is named by the steps that lead to it');

/** The path of a scope that an activation opens. `index` counts from 1; null where it opens only one. */
export const scopePath = (
  { stepId, attempt }: { readonly stepId: string; readonly attempt: number },
  index: number | null,
): string => `${stepId}${attempt > 1 ? `#${attempt}` : ''}${index === null ? '' : `[${index}]`}`;

/** The key of a step in a scope; null is the run itself. */
export const keyIn = (scope: string | null, id: string): string => (scope === null ? id : `${scope}/${id}`);

/** The scope that a step is in; null where it is in the run itself. */
export function scopeOf(key: string): string | null {
  const end = key.lastIndexOf('/');
  return end < 0 ? null : key.slice(0, end);
}

/** The id of a step, as it is in its workflow. */
export const idOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

/** The key of the step that opened a scope. */
export const ownerOf = (scope: string): string => scope.replace(/(?:#\d+)?(?:\[\d+\])?$/, '');

/** What is behind the key of the owner: `#2[3]`. */
export const placeInOwner = (scope: string): string => scope.slice(ownerOf(scope).length);

/** The number of a scope in its activation; null where the step opens only one. */
export function indexOf(scope: string): number | null {
  const [, index] = /\[(\d+)\]$/.exec(scope) ?? [];
  return index === undefined ? null : Number(index);
}

/** Whether a scope is a pass of a loop. */
export const isPass = ({ values }: { readonly values: Readonly<Record<string, string>> }): boolean =>
  Object.hasOwn(values, 'LOOP_PREV_OUTPUT');

/** What is known of the definitions of a run. */
export interface Definitions {
  readonly definition: Pick<WorkflowDefinition, 'steps'>;
  /** Files that its steps call, frozen at the start, by the path they are named with. */
  readonly called?: Readonly<Record<string, WorkflowDefinition>> | undefined;
}

/** The definition of a step by its key; undefined where a module made it. */
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

/** The body that a step has in a scope, or the file that it calls; null where its module makes the steps. */
export function bodyOf(
  { called }: Definitions,
  { config }: StepDefinition,
  index: number | null,
): InnerSteps | null {
  const { body, file, target, variants } = config ?? {};
  if (isObject(target) && Array.isArray(variants)) {
    const variant = variants[(index ?? 0) - 1];
    if (!isObject(variant)) return null;
    const step = variantStep(target as unknown as StepDefinition, variant as unknown as Variant);
    return { steps: [step], cables: [] };
  }
  if (isObject(body) && Array.isArray(body.steps)) {
    const { steps, cables = [] } = body as unknown as Partial<WorkflowBody>;
    return { steps: steps ?? [], cables };
  }
  return typeof file === 'string' ? (own(called, file) ?? null) : null;
}

type InnerSteps = Pick<WorkflowBody, 'steps' | 'cables'>;

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the step that opened a scope is called in it: `The review 3`. */
export function titleInScope(title: string, scope: string): string {
  const [, attempt, index] = /^(?:#(\d+))?(?:\[(\d+)\])?$/.exec(placeInOwner(scope)) ?? [];
  return [title, index, attempt && `(attempt ${attempt})`].filter(Boolean).join(' ');
}

/** Between the titles of steps that are in each other. */
export const INSIDE = ' › ';

/**
 * What a step is called: its title, behind those of the steps that lead to it. `check[3]/read` is
 * `Check each page 3 › Read the page`; `#2` is a second attempt.
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
