import { z } from 'zod';
import { appErrorSchema } from '../../errors';
import { jsonSchema, localIdSchema, stepIdSchema } from '../../ids';
import { contextBundleSchema } from '../../workflow/definition';
import { type EventIn, event } from '../event-table';

const id = localIdSchema;

/** `revised` is a gate's reject that leads back; the run goes on. */
export const activationOutcomeSchema = z.enum(['succeeded', 'failed', 'cancelled', 'rejected', 'revised']);
export type ActivationOutcome = z.infer<typeof activationOutcomeSchema>;

/** Where a bundle on an input port came from. */
export const inputRefSchema = z.object({ port: z.string(), activationId: id, fromPort: z.string() });

export const activationEvents = [
  event('activation.started', () => ({
    activationId: id,
    stepId: stepIdSchema,
    /** Counts from 1 within the step. */
    attempt: z.number().int().positive(),
    inputs: z.array(inputRefSchema),
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
  })),
  event('step.skipped', () => ({ stepId: stepIdSchema, reason: z.string() })),
] as const;
export type ActivationEvent = EventIn<typeof activationEvents>;
