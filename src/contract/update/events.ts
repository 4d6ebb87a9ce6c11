import { z } from 'zod';
import { localIdSchema } from '../ids';
import { type EventIn, event } from '../run/event-table';
import { stepKeySchema } from '../run/scope/path';
import { updateSchema } from './update';

const id = localIdSchema;

export const updateEvents = [
  event('update.posted', () => ({
    activationId: id,
    turnId: id.nullable(),
    stepId: stepKeySchema,
    update: updateSchema,
    /** The message as it is sent. */
    text: z.string(),
  })),
] as const;
export type UpdateEvent = EventIn<typeof updateEvents>;
