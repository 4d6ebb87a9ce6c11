import { z } from 'zod';
import { amount, whole } from '../../bounds';
import { lazyObject } from '../../lazy-object';
import { activationOutcomeSchema } from '../activation/events';

/**
 * One step of a run: its newest activation (for fan-out items, the first that did not succeed), with the
 * usage of all its activations.
 */
const comparedStepSchema = lazyObject(() => ({
  outcome: z.union([activationOutcomeSchema, z.enum(['pending', 'running', 'waiting', 'skipped'])]),
  /** Its result was adopted from an earlier run. */
  isAdopted: z.boolean(),
  attempts: whole(),
  /** Null: not reported by any agent. Adopted results count as nothing. */
  tokens: amount().nullable(),
  costUsd: amount().nullable(),
  /** Milliseconds of all its activations; null while it runs, or if it was not executed. */
  ms: amount().nullable(),
}));
export type ComparedStep = z.infer<typeof comparedStepSchema>;

const stepComparisonSchema = lazyObject(() => ({
  /**
   * The ids of the enclosing steps and its own: `again/fix`. A variant of an experiment has its name as id:
   * `try/formal`.
   */
  stepId: z.string(),
  title: z.string(),
  /** Nesting depth. All passes, items and attempts of a step inside another are counted together. */
  depth: whole(),
  /** Null: this run's workflow has no such step. */
  a: comparedStepSchema.nullable(),
  b: comparedStepSchema.nullable(),
  /** Its definition differs, for example its instruction. */
  changed: z.boolean(),
}));
export type StepComparison = z.infer<typeof stepComparisonSchema>;

export const runComparisonSchema = lazyObject(() => ({
  steps: z.array(
    stepComparisonSchema.unwrap().extend({
      /** Unified diff of the outputs; empty if they are equal. */
      diff: z.string(),
      /** The diff is longer than the returned part. */
      truncated: z.boolean(),
    }),
  ),
}));
export type RunComparison = z.infer<typeof runComparisonSchema>;
