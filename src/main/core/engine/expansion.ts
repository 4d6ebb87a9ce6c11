import type { AppError } from '@contract/errors';
import { ok } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import type { ActivationState } from '@contract/run/state';
import type { FoundReference } from '../reference/reference';
import { type TemplateText, textsAt } from '../reference/templates';
import { expandText, type Piece, piecesOf } from '../reference/text';
import { readReference, type Values } from '../reference/values';
import { endActivation } from './finish';
import type { Moment } from './moment';
import type { PlannedStep } from './plan';
import { valuesOf } from './step-values';

interface Template extends TemplateText {
  readonly pieces: readonly Piece[];
}

const known = new WeakMap<PlannedStep, readonly Template[]>();

/** The templates of a step that have anything to expand; found once for each plan. */
function templatesOf(step: PlannedStep): readonly Template[] {
  const found = known.get(step);
  if (found !== undefined) return found;
  const texts = step.module.templates.flatMap((field) => textsAt(step.bound.config, field));
  const templates = texts
    .filter(({ text }) => text.includes('$'))
    .map((one) => ({ ...one, pieces: piecesOf(one.text) }))
    .filter(({ pieces }) => pieces.length > 1 || pieces.some((piece) => 'found' in piece));
  known.set(step, templates);
  return templates;
}

/**
 * Expands the templates of an activation when it starts, in the commit of its start. From then on the texts are frozen
 * in the log: a replay, a retry of a turn and a resume use them. Null where there is nothing to expand.
 */
export function expandAtStart(
  moment: Moment,
  activation: ActivationState,
  step: PlannedStep,
): RunEvent[] | null {
  if (moment.state.references === undefined || activation.expanded !== undefined) return null;
  const templates = templatesOf(step);
  if (templates.length === 0) return null;
  const made = expandAll(templates, valuesOf(moment.plan, moment.state));
  if ('error' in made) return endActivation(moment, activation, made.error);
  return [{ type: 'activation.expanded', activationId: activation.id, ...made }];
}

function expandAll(
  templates: readonly Template[],
  values: Values,
): { texts: Record<string, string>; warnings: string[] } | { error: AppError } {
  const warnings = new Set<string>();
  const lookup = ({ reference }: FoundReference) => {
    const read = readReference(reference, values);
    if (!read.ok) return read;
    if (read.value.warning !== null) warnings.add(read.value.warning);
    return ok(read.value.text);
  };
  const texts: Record<string, string> = {};
  for (const { path, pieces } of templates) {
    const expanded = expandText(pieces, lookup);
    if (!expanded.ok) return { error: expanded.error };
    texts[path] = expanded.value;
  }
  return { texts, warnings: [...warnings] };
}
