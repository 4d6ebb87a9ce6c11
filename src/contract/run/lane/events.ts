import { z } from 'zod';
import { appErrorSchema } from '../../errors';
import { localIdSchema } from '../../ids';
import { type EventIn, event } from '../event-table';

const id = localIdSchema;

/** One agent of several is out, while its step goes on; and is taken up again. */
export const laneEvents = [
  event('lane.failed', () => ({ activationId: id, lane: z.string(), error: appErrorSchema })),
  event('lane.restored', () => ({ activationId: id, lane: z.string(), by: z.string() })),
] as const;
export type LaneEvent = EventIn<typeof laneEvents>;
