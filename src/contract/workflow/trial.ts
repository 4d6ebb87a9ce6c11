import { z } from 'zod';
import { appErrorSchema, problemSchema } from '../errors';
import { jsonSchema, stepIdSchema } from '../ids';
import { stepKeySchema } from '../run/scope/path';

/** How a step stands, in the words of `$step.status`. */
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
  /** A text, or JSON that counts as its text. */
  output: jsonSchema.default(''),
});

/** What is in for a run: outputs and states of steps, inputs, variables. */
export const trialValuesSchema = z.lazy(() =>
  z.strictObject({
    /** A step in a body by its path: `review/fix` for every pass, `review[2]/fix` for the second. */
    steps: z.record(stepKeySchema, stepValueSchema).default({}),
    /** The pass before this one: `$LOOP_PREV.step.output`. */
    previous: z.record(stepIdSchema, stepValueSchema).default({}),
    inputs: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
    /** `ARGUMENTS`, `LOOP_USER_INPUT` and the like, by their names without the dollar sign. */
    variables: z
      .record(z.string().regex(/^[A-Z][A-Z_]*$/, 'a name of capital letters'), z.string())
      .default({}),
  }),
);
export type TrialValues = z.infer<typeof trialValuesSchema>;

/** What one template of a step becomes. */
export const expandedTemplateSchema = z.lazy(() =>
  z.object({
    /** A step in a body by its path. */
    step: stepKeySchema,
    /** `instruction`, `re_prompts[0]`; `when` is the condition of the step. */
    path: z.string(),
    /** Null where it cannot be expanded. Of a condition: `true` or `false`. */
    text: z.string().nullable(),
    /** The variables that a script reads. */
    env: z.record(z.string(), z.string()).optional(),
    warnings: z.array(z.string()),
    error: appErrorSchema.nullable(),
  }),
);
export type ExpandedTemplate = z.infer<typeof expandedTemplateSchema>;

export const expansionSchema = z.lazy(() =>
  z.object({ problems: z.array(problemSchema), templates: z.array(expandedTemplateSchema) }),
);

/** One thing that a dry run did, in the order in which it did it. */
export const trialEntrySchema = z.lazy(() =>
  z.object({
    kind: z.enum(['prompt', 'command', 'gate', 'skip', 'end', 'not_simulated']),
    /** A step in a body by its path. */
    step: stepKeySchema,
    /** The prompt, the script, the question, the cause of a skip, the error of an end. */
    text: z.string(),
    agent: z.string().optional(),
    /** What was answered at a gate. */
    answer: z.string().optional(),
    outcome: z.string().optional(),
    warnings: z.array(z.string()).optional(),
  }),
);
export type TrialEntry = z.infer<typeof trialEntrySchema>;

export const trialSchema = z.lazy(() =>
  z.object({
    problems: z.array(problemSchema),
    entries: z.array(trialEntrySchema),
    /** Null where it did not begin, or did not come to its end. */
    outcome: z.enum(['succeeded', 'failed', 'cancelled', 'rejected']).nullable(),
    reason: z.string().nullable(),
  }),
);
export type Trial = z.infer<typeof trialSchema>;
