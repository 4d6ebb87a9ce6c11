import { z } from 'zod';
import { appErrorSchema } from '../../errors';
import { localIdSchema } from '../../ids';
import { lazyObject } from '../../lazy-object';
import { type EventIn, event } from '../event-table';

const id = localIdSchema;

const laneAgentSchema = lazyObject(() => ({
  profileId: z.string(),
  model: z.string().nullable(),
  mode: z.string().nullable(),
}));
export type LaneAgent = z.infer<typeof laneAgentSchema>;

/** One of several agents fails while its step continues, and is later resumed. */
export const laneEvents = [
  event('lane.failed', () => ({
    activationId: id,
    lane: z.string(),
    error: appErrorSchema,
    /** It is tried again when the operator resumes the run. */
    resumes: z.boolean(),
  })),
  event('lane.restored', () => ({
    activationId: id,
    lane: z.string(),
    by: z.string(),
    /** The agent that continues in the lane; default: the one that failed. */
    agent: laneAgentSchema.optional(),
  })),
] as const;
export type LaneEvent = EventIn<typeof laneEvents>;
