import { featureEvents } from '@features/contract';
import { z } from 'zod';
import { whole } from '../bounds';
import { runIdSchema, timestampSchema } from '../ids';
import type { EventIn, OfType } from './event-table';
import { platformEvents } from './platform-events';

/**
 * Everything that can happen in a run. From 0.1.0 on stored events stay readable: new fields are optional, and
 * a changed meaning needs a new type.
 */
export const eventKinds = [...platformEvents, ...featureEvents] as const;
export type RunEvent = EventIn<typeof eventKinds>;
export const runEventSchema: z.ZodType<RunEvent> = z.lazy(() => {
  const [first, ...others] = eventKinds;
  return z.discriminatedUnion('type', [first.schema, ...others.map(({ schema }) => schema)]);
});
export type RunEventType = RunEvent['type'];
export type RunEventOf<T extends RunEventType> = OfType<RunEvent, T>;

/** A committed event: `id` increases over the whole database, `seq` counts from 1 within the run. */
export interface StoredEvent {
  readonly id: number;
  readonly runId: number;
  readonly seq: number;
  readonly at: number;
  readonly event: RunEvent;
}
export const storedEventSchema: z.ZodType<StoredEvent> = z.object({
  id: whole().nonnegative(),
  runId: runIdSchema,
  seq: whole().positive(),
  at: timestampSchema,
  event: runEventSchema,
});
