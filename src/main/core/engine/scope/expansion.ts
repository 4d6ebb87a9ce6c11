import { expandTemplates, type Template, templatesIn } from '@areas/workflows/core/reference/expand';
import type { ScopedVariable } from '@areas/workflows/core/reference/reference';
import { textsAt } from '@areas/workflows/core/reference/templates';
import { appError } from '@contract/errors';
import { WHOLE_TEXT_BYTES } from '@contract/limits';
import { ownValue } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import type { ActivationState } from '@contract/run/state';
import { sizeWords } from '@contract/size-words';
import { exceedsUtf8, utf8Length } from '@contract/text-length';
import type { ExpandDecision } from '../../step/decision';
import type { BoundStep } from '../../step/module';
import type { DecisionInput } from '../base/decision-input';
import { endActivation } from '../base/finish';
import type { PlannedStep } from '../plan/plan';
import { valuesOf } from '../schedule/step-values';

const known = new WeakMap<BoundStep, readonly Template[]>();

/** Expands templates to texts that can be passed on whole. */
function withinBounds(...given: Parameters<typeof expandTemplates>): ReturnType<typeof expandTemplates> {
  const made = expandTemplates(...given);
  if ('error' in made) return made;
  const large = Object.entries(made.expanded.texts).find(([, text]) => exceedsUtf8(text, WHOLE_TEXT_BYTES));
  if (large === undefined) return made;
  const [path, text] = large;
  const message = `${path} has ${sizeWords(utf8Length(text))} with its references, more than ${sizeWords(WHOLE_TEXT_BYTES)}`;
  const mend = 'set output_limit at the steps whose outputs it has';
  return { error: appError('step.output_too_large', message, { mend }) };
}

/** A step's templates that contain references or escapes; found once for all its scopes. */
export function templatesOf(step: PlannedStep): readonly Template[] {
  const found = known.get(step.bound) ?? templatesIn(step.bound.config, step.module.templates);
  known.set(step.bound, found);
  return found;
}

/**
 * Expands one template later than at the start. A text without references is recorded too, since its step
 * waits for the event.
 */
export function expandLater(
  moment: DecisionInput,
  activation: ActivationState,
  { name, path, variables }: ExpandDecision,
): RunEvent[] {
  const step = moment.plan.steps.get(activation.stepId);
  const [written] = step === undefined ? [] : textsAt(step.bound.config, { path, kind: 'text' });
  if (step === undefined || written === undefined) return [];
  const values = valuesOf(moment.plan, moment.state, activation.stepId);
  const made = withinBounds(
    templatesOf(step).filter((one) => one.path === path),
    {
      ...values,
      variable: (variable) => ownValue(variables, variable as ScopedVariable) ?? values.variable(variable),
    },
  );
  if ('error' in made) return endActivation(moment, activation, made.error);
  const { texts, warnings } = made.expanded;
  const text = ownValue(texts, path) ?? written.text;
  return [
    { type: 'activation.expanded', activationId: activation.id, texts: { [path]: text }, warnings, name },
  ];
}

/**
 * Expands an activation's templates when it starts, in the same commit. From then on the texts are fixed in
 * the log; replays, retries of a turn and resumes use them. Null if there is nothing to expand.
 */
export function expandAtStart(
  moment: DecisionInput,
  activation: ActivationState,
  step: PlannedStep,
): RunEvent[] | null {
  if (activation.expanded !== undefined) return null;
  const templates = templatesOf(step).filter(({ field }) => field.later !== true);
  if (templates.length === 0) return null;
  const made = withinBounds(templates, valuesOf(moment.plan, moment.state, activation.stepId));
  if ('error' in made) return endActivation(moment, activation, made.error);
  const { texts, env, warnings } = made.expanded;
  const given = Object.keys(env).length === 0 ? {} : { env };
  return [{ type: 'activation.expanded', activationId: activation.id, texts, ...given, warnings }];
}
