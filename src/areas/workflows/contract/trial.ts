import { amount } from '@contract/bounds';
import { appErrorSchema, problemSchema } from '@contract/errors';
import { jsonSchema, stepIdSchema } from '@contract/ids';
import { lazyObject, lazyStrictObject } from '@contract/lazy-object';
import { stepKeySchema } from '@contract/run/scope/path';
import { z } from 'zod';

/** A step's status, as in `$step.status`. */
export const stepStatuses = [
  'succeeded',
  'failed',
  'cancelled',
  'rejected',
  'revised',
  'skipped',
  'not_run',
  'running',
] as const;
export type StepStatus = (typeof stepStatuses)[number];

const stepValueSchema = z.strictObject({
  status: z.enum(stepStatuses).default('succeeded'),
  /** A text, or JSON that is converted to text. */
  output: jsonSchema.default(''),
  /** Why it failed. */
  error: z.string().default(''),
});

/** Sample values in place of a run: outputs and statuses of steps, inputs, variables. */
export const trialValuesSchema = lazyStrictObject(() => ({
  /** Steps in a body have paths: `review/fix` for every pass, `review[2]/fix` for the second. */
  steps: z.record(stepKeySchema, stepValueSchema).default({}),
  /** The previous pass: `$LOOP_PREV.step.output`. */
  previous: z.record(stepIdSchema, stepValueSchema).default({}),
  inputs: z.record(z.string(), z.union([z.string(), amount(), z.boolean()])).default({}),
  /** `ARGUMENTS`, `LOOP_USER_INPUT` and the like, without the dollar sign. */
  variables: z
    .record(z.string().regex(/^[A-Z][A-Z_]*$/, 'a name of capital letters'), z.string())
    .default({}),
}));
export type TrialValues = z.infer<typeof trialValuesSchema>;

/** The result of expanding one template of a step. */
const expandedTemplateSchema = lazyObject(() => ({
  /** Steps in a body have paths. */
  step: stepKeySchema,
  /** `instruction`, `re_prompts[0]`; `when` is the condition of the step. */
  path: z.string(),
  /** Null if it cannot be expanded. For a condition: `true` or `false`. */
  text: z.string().nullable(),
  /** The variables that a script reads. */
  env: z.record(z.string(), z.string()).optional(),
  warnings: z.array(z.string()),
  error: appErrorSchema.nullable(),
}));
export type ExpandedTemplate = z.infer<typeof expandedTemplateSchema>;

export const expansionSchema = lazyObject(() => ({
  problems: z.array(problemSchema),
  templates: z.array(expandedTemplateSchema),
}));

/** One entry in the log of a dry run, in execution order. */
const trialEntrySchema = lazyObject(() => ({
  kind: z.enum(['prompt', 'command', 'gate', 'skip', 'end', 'not_simulated']),
  /** Steps in a body have paths. */
  step: stepKeySchema,
  /** The prompt, script, question, cause of a skip, or error of the end. */
  text: z.string(),
  agent: z.string().optional(),
  /** The answer given at a gate. */
  answer: z.string().optional(),
  outcome: z.string().optional(),
  warnings: z.array(z.string()).optional(),
}));
export type TrialEntry = z.infer<typeof trialEntrySchema>;

export const trialSchema = lazyObject(() => ({
  problems: z.array(problemSchema),
  entries: z.array(trialEntrySchema),
  /** Null if it did not begin, or did not end. */
  outcome: z.enum(['succeeded', 'failed', 'cancelled', 'rejected']).nullable(),
  reason: z.string().nullable(),
}));
export type Trial = z.infer<typeof trialSchema>;
