import { z } from 'zod';
import { appErrorSchema } from '../../errors';
import { jsonSchema, localIdSchema, timestampSchema } from '../../ids';
import { contextBundleSchema } from '../../workflow/definition';
import { type EventIn, event } from '../event-table';
import { stepKeySchema } from '../scope/path';

const id = localIdSchema;

/** `revised` is a gate's reject that leads back; the run continues. */
export const activationOutcomeSchema = z.enum(['succeeded', 'failed', 'cancelled', 'rejected', 'revised']);
export type ActivationOutcome = z.infer<typeof activationOutcomeSchema>;

/**
 * `condition`: its `when` is false. `trigger_rule`: a rule other than `all_success` is not met. `run_ended`: the run
 * ended before the step was decided.
 */
export const skipCauseSchema = z.enum([
  'condition',
  'trigger_rule',
  'upstream_failed',
  'upstream_skipped',
  'run_ended',
]);
export type SkipCause = z.infer<typeof skipCauseSchema>;

/** Where a bundle on an input port came from. */
export const inputRefSchema = z.object({ port: z.string(), activationId: id, fromPort: z.string() });

export const adoptedFromSchema = z.object({ uid: z.string(), at: timestampSchema });

export const activationEvents = [
  event('activation.started', () => ({
    activationId: id,
    stepId: stepKeySchema,
    /** Counts from 1 within the step. */
    attempt: z.number().int().positive(),
    inputs: z.array(inputRefSchema),
    /** Activations before it that ended without an input for it, where its trigger rule lets it run all the same. */
    sources: z.array(id).optional(),
  })),
  /** References in the step's templates were replaced; `texts` holds the result of each by its path in the configuration. */
  event('activation.expanded', () => ({
    activationId: id,
    texts: z.record(z.string(), z.string()),
    /** Values that its scripts read as variables. */
    env: z.record(z.string(), z.string()).optional(),
    warnings: z.array(z.string()),
    /** One text that was expanded later than at the start, under the name by which its step finds it again. */
    name: z.string().optional(),
  })),
  /** Its turns and commands are being stopped; once nothing of it works any more it ends: as failed, or as cancelled. */
  event('activation.stop-requested', () => ({
    activationId: id,
    /** What it fails with; null: it is cancelled. */
    error: appErrorSchema.nullable(),
  })),
  event('activation.finished', () => ({
    activationId: id,
    outcome: activationOutcomeSchema,
    outputs: z.record(z.string(), contextBundleSchema),
    /** The ports that fire, in order; a port that carries a bundle fires too. */
    signals: z.array(z.string()),
    receipt: z.record(z.string(), jsonSchema),
    warnings: z.array(z.string()),
    error: appErrorSchema.nullable(),
    /** The step is tried again when this timer fires. */
    retryTimer: id.optional(),
  })),
  /** The result of a step of an earlier run, taken as it was: nothing of it is executed here. Its number is that of there. */
  event('activation.adopted', () => ({
    activationId: id,
    stepId: stepKeySchema,
    attempt: z.number().int().positive(),
    inputs: z.array(inputRefSchema),
    outcome: activationOutcomeSchema,
    outputs: z.record(z.string(), contextBundleSchema),
    signals: z.array(z.string()),
    receipt: z.record(z.string(), jsonSchema),
    warnings: z.array(z.string()),
    error: appErrorSchema.nullable(),
    /** The run that it was executed in, and when it ended there. */
    from: adoptedFromSchema,
  })),
  event('step.skipped', () => ({
    stepId: stepKeySchema,
    reason: z.string(),
    /** Absent in runs that recorded their skips at their end. */
    cause: skipCauseSchema.optional(),
  })),
  /** Something before the step runs again, so its skip is decided again. */
  event('step.skip-withdrawn', () => ({ stepId: stepKeySchema })),
] as const;
export type ActivationEvent = EventIn<typeof activationEvents>;
