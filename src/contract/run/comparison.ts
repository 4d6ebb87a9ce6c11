import { z } from 'zod';
import { activationOutcomeSchema } from './activation/events';

/**
 * One step of a run: its newest activation, and what all of them used. Of the items of a fan-out, the first that did not
 * succeed.
 */
export const comparedStepSchema = z.object({
  outcome: z.union([activationOutcomeSchema, z.enum(['pending', 'running', 'waiting', 'skipped'])]),
  /** Its result was taken from an earlier run. */
  isAdopted: z.boolean(),
  attempts: z.number().int(),
  /** Null: no agent told. Of a result that was taken nothing is counted. */
  tokens: z.number().nullable(),
  costUsd: z.number().nullable(),
  /** Milliseconds that its activations took; null while it continues, or where it was not executed. */
  ms: z.number().nullable(),
});
export type ComparedStep = z.infer<typeof comparedStepSchema>;

export const stepComparisonSchema = z.object({
  /** The ids of the steps around it and its own: `again/fix`. A variant of an experiment goes by its name: `try/formal`. */
  stepId: z.string(),
  title: z.string(),
  /** How many steps it is in. Inside a step, all passes, items and attempts of it count together. */
  depth: z.number().int(),
  /** Null: the workflow of that run has no such step. */
  a: comparedStepSchema.nullable(),
  b: comparedStepSchema.nullable(),
  /** Its definition differs, such as its instruction. */
  changed: z.boolean(),
});
export type StepComparison = z.infer<typeof stepComparisonSchema>;

export const runComparisonSchema = z.lazy(() =>
  z.object({
    steps: z.array(
      stepComparisonSchema.extend({
        /** The difference of its outputs in the unified format; empty where they are equal. */
        diff: z.string(),
        /** The difference is longer than what is given. */
        truncated: z.boolean(),
      }),
    ),
  }),
);
export type RunComparison = z.infer<typeof runComparisonSchema>;
