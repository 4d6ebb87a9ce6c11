import { z } from 'zod';
import { appErrorSchema } from '../../errors';
import { localIdSchema } from '../../ids';
import { type EventIn, event } from '../event-table';

const id = localIdSchema;

const laneAgentSchema = z.lazy(() =>
  z.object({ profileId: z.string(), model: z.string().nullable(), mode: z.string().nullable() }),
);
export type LaneAgent = z.infer<typeof laneAgentSchema>;

/** One agent of several is out, while its step continues; and is resumed. */
export const laneEvents = [
  event('lane.failed', () => ({ activationId: id, lane: z.string(), error: appErrorSchema })),
  event('lane.restored', () => ({
    activationId: id,
    lane: z.string(),
    by: z.string(),
    /** The agent that continues in the lane; left out: the one that failed. */
    agent: laneAgentSchema.optional(),
  })),
] as const;
export type LaneEvent = EventIn<typeof laneEvents>;
