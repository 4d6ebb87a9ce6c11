import { localIdSchema } from '@contract/ids';
import { type EventIn, event } from '@contract/run/event-table';
import { z } from 'zod';

export const checklistEvents = [
  event('checklist.ticked', () => ({ activationId: localIdSchema, item: z.string() })),
] as const;
export type ChecklistEvent = EventIn<typeof checklistEvents>;
