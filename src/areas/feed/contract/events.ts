import { localIdSchema } from '@contract/ids';
import { type EventIn, event } from '@contract/run/event-table';
import { stepKeySchema } from '@contract/run/scope/path';
import { z } from 'zod';
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
