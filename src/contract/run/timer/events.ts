import { z } from 'zod';
import { localIdSchema, timestampSchema } from '../../ids';
import { type EventIn, event } from '../event-table';

const id = localIdSchema;

export const timerEvents = [
  event('timer.set', () => ({
    timerId: id,
    activationId: id,
    dueAt: timestampSchema,
    purpose: z.string(),
    /** The turn whose agent it watches. */
    watches: id.optional(),
  })),
  event('timer.fired', () => ({
    timerId: id,
    /** When the watched agent last gave a sign of life. */
    heardAt: timestampSchema.nullable().optional(),
  })),
] as const;
export type TimerEvent = EventIn<typeof timerEvents>;
