import { ownValue, setOwnValue } from '@contract/own';
import type { RunEventOf } from '@contract/run/events';
import type { GateState } from '@contract/run/state';
import { z } from 'zod';
import type { WorkflowDefinition } from '../../contract/definition';
import type { StepStatus, TrialValues } from '../../contract/trial';

const USED: readonly StepStatus[] = ['succeeded', 'failed', 'skipped', 'cancelled', 'rejected'];

const withoutNumbers = (key: string): string => key.replace(/(?:#\d+)?\[\d+\]/g, '');

/**
 * The given values of a step: by its key, else by its path for all passes (`review/fix` for `review[2]/fix`).
 */
export const givenFor = (key: string, { steps }: TrialValues) =>
  ownValue(steps, key) ?? ownValue(steps, withoutNumbers(key));

export const isGivenAsSkipped = (key: string, values: TrialValues): boolean =>
  ownValue(values.steps, withoutNumbers(key))?.status === 'skipped';

/** A given status that no dry run can show; null: all can be shown. */
export function unusableStatus({ steps }: TrialValues): { message: string; mend: string } | null {
  for (const [key, { status }] of Object.entries(steps)) {
    if (!USED.includes(status))
      return {
        message: `the values give "${key}" the status ${status}, which a dry run cannot begin with`,
        mend: `use one of: ${USED.join(', ')}`,
      };
    if (status === 'skipped' && withoutNumbers(key) !== key)
      return {
        message: `the values skip "${key}", one pass or item only`,
        mend: `write ${withoutNumbers(key)}: a step is skipped in all of them`,
      };
  }
  return null;
}

type Start = Pick<RunEventOf<'run.started'>, 'definition' | 'called'>;

/** Neither is ever empty in a run, so the step is always skipped. */
const NEVER = "$ARTIFACTS_DIR == ''";

const bodySchema = z.looseObject({
  body: z.looseObject({ steps: z.array(z.looseObject({ id: z.string(), config: z.unknown() })) }),
});
const fileSchema = z.looseObject({ file: z.string() });

/** The workflow, in which steps that are given as skipped have a condition that is false. */
export function withSkips({ definition, called = {} }: Start, values: TrialValues): Start {
  const skipped = Object.keys(values.steps).filter((key) => isGivenAsSkipped(key, values));
  if (skipped.length === 0) return { definition, ...(Object.keys(called).length === 0 ? {} : { called }) };
  const files: Record<string, WorkflowDefinition> = { ...called };
  const inSteps = <S extends { id: string; config?: unknown }>(steps: readonly S[], around: string): S[] =>
    steps.map((step) => {
      const path = `${around}${step.id}`;
      if (skipped.includes(path)) return { ...step, when: NEVER };
      const body = bodySchema.safeParse(step.config);
      if (body.success) {
        const inner = inSteps(body.data.body.steps, `${path}/`);
        return { ...step, config: { ...body.data, body: { ...body.data.body, steps: inner } } };
      }
      const { file } = fileSchema.safeParse(step.config).data ?? {};
      const of = file === undefined ? undefined : ownValue(files, file);
      if (file !== undefined && of !== undefined && skipped.some((key) => key.startsWith(`${path}/`)))
        setOwnValue(files, file, { ...of, steps: inSteps(of.steps, `${path}/`) });
      return step;
    });
  const changed = { ...definition, steps: inSteps(definition.steps, '') };
  return { definition: changed, ...(Object.keys(files).length === 0 ? {} : { called: files }) };
}

interface TrialAnswer {
  readonly option: string;
  readonly reason?: string;
  readonly text?: string;
}

/**
 * The answer at a gate: the decision given as the step's output, else the one that lets the run continue. It
 * has a text only if the values give one, or the decision cannot be without.
 */
export function answerAt(
  { options }: Pick<GateState, 'options'>,
  stepId: string,
  values: TrialValues,
): TrialAnswer {
  const given = givenFor(stepId, values);
  const output = given?.output;
  const decided = z.looseObject({ decision: z.string(), text: z.string().optional() }).safeParse(output).data;
  const named = options.find(({ id }) => id === (decided?.decision ?? output));
  const said =
    decided?.text ??
    (named === undefined && typeof output === 'string' && output !== '' ? output : undefined);
  const text = said ?? ownValue(values.variables, 'LOOP_USER_INPUT');
  const rejects = given !== undefined && given.status === 'rejected';
  const continuing = options.filter(({ tone }) => tone !== 'reject');
  const chosen =
    named ??
    (rejects ? options.find(({ tone }) => tone === 'reject') : undefined) ??
    (text === undefined ? undefined : continuing.find(({ needs }) => needs === 'text')) ??
    continuing.find(({ needs, tone }) => needs === undefined && tone === 'approve') ??
    continuing.find(({ needs }) => needs === undefined) ??
    continuing[0] ??
    options[0];
  const reason = ownValue(values.variables, 'REJECTION_REASON') ?? 'rejected in the dry run';
  return {
    option: chosen?.id ?? '',
    ...(chosen?.needs === 'reason' || chosen?.tone === 'reject' ? { reason } : {}),
    ...(text !== undefined ? { text } : chosen?.needs === 'text' ? { text: 'a sample text' } : {}),
  };
}
