import { storedBundleSchema } from '@areas/workflows/contract/definition';
import { z } from 'zod';
import { whole } from '../../bounds';
import { appErrorSchema } from '../../errors';
import { jsonSchema, localIdSchema, timestampSchema } from '../../ids';
import { wholeTextSchema } from '../../whole-text';
import { type EventIn, event } from '../event-table';
import { stepKeySchema } from '../scope/path';

const id = localIdSchema;

/** `revised`: a rejected gate leads back to an earlier step, and the run continues. */
export const activationOutcomeSchema = z.enum(['succeeded', 'failed', 'cancelled', 'rejected', 'revised']);
export type ActivationOutcome = z.infer<typeof activationOutcomeSchema>;

/**
 * `condition`: its `when` is false. `disabled`: it is switched off. `trigger_rule`: a rule other than `all_success`
 * is not met. `run_ended`: the run ended before the step was decided.
 */
const skipCauseSchema = z.enum([
  'condition',
  'disabled',
  'trigger_rule',
  'upstream_failed',
  'upstream_skipped',
  'run_ended',
]);
export type SkipCause = z.infer<typeof skipCauseSchema>;

/** The origin of a bundle on an input port. */
const inputRefSchema = z.object({ port: z.string(), activationId: id, fromPort: z.string() });

const adoptedFromSchema = z.object({ uid: z.string(), at: timestampSchema });

export const activationEvents = [
  event('activation.started', () => ({
    activationId: id,
    stepId: stepKeySchema,
    /** Counts from 1 within the step. */
    attempt: whole().positive(),
    inputs: z.array(inputRefSchema),
    /**
     * Earlier activations that ended without input for this one, if its trigger rule allows it to run anyway.
     */
    sources: z.array(id).optional(),
  })),
  /**
   * References in the step's templates were expanded; `texts` holds the results by their path in the
   * configuration.
   */
  event('activation.expanded', () => ({
    activationId: id,
    texts: z.record(z.string(), wholeTextSchema),
    /** Variables for its scripts. */
    env: z.record(z.string(), wholeTextSchema).optional(),
    warnings: z.array(z.string()),
    /** A text that was expanded later than at the start, with the key by which its step finds it again. */
    name: z.string().optional(),
  })),
  /** Its turns and commands are being stopped; once all have ended, the activation fails or is cancelled. */
  event('activation.stop-requested', () => ({
    activationId: id,
    /** The error to fail with; null: cancelled. */
    error: appErrorSchema.nullable(),
  })),
  event('activation.finished', () => ({
    activationId: id,
    outcome: activationOutcomeSchema,
    outputs: z.record(z.string(), storedBundleSchema),
    /** The ports that fire, in order; a port with a bundle fires too. */
    signals: z.array(z.string()),
    receipt: z.record(z.string(), jsonSchema),
    warnings: z.array(z.string()),
    error: appErrorSchema.nullable(),
    /** The step is retried when this timer fires. */
    retryTimer: id.optional(),
  })),
  /**
   * The result of a step of an earlier run, adopted unchanged: nothing is executed here. It keeps its number
   * from that run.
   */
  event('activation.adopted', () => ({
    activationId: id,
    stepId: stepKeySchema,
    attempt: whole().positive(),
    inputs: z.array(inputRefSchema),
    outcome: activationOutcomeSchema,
    outputs: z.record(z.string(), storedBundleSchema),
    signals: z.array(z.string()),
    receipt: z.record(z.string(), jsonSchema),
    warnings: z.array(z.string()),
    error: appErrorSchema.nullable(),
    /** The run that executed it, and when it ended there. */
    from: adoptedFromSchema,
  })),
  event('step.skipped', () => ({
    stepId: stepKeySchema,
    reason: z.string(),
    cause: skipCauseSchema,
  })),
  /** An earlier step runs again, so this skip will be decided again. */
  event('step.skip-withdrawn', () => ({ stepId: stepKeySchema })),
] as const;
export type ActivationEvent = EventIn<typeof activationEvents>;
