import { z } from 'zod';
import { amount, whole } from '../../bounds';
import { appErrorSchema } from '../../errors';
import { localIdSchema } from '../../ids';
import { markedTextSchema, wholeTextSchema } from '../../whole-text';
import { type EventIn, event } from '../event-table';

const id = localIdSchema;

export const commandEvents = [
  event('command.started', () => ({
    commandId: id,
    activationId: id,
    workspaceId: id.optional(),
    script: z.string(),
    terminal: z.boolean(),
    env: z.record(z.string(), wholeTextSchema),
    timeoutSeconds: amount().nullable(),
    /** Standard error is part of the output. */
    joinsErrors: z.literal(true).optional(),
    /** The part of a larger output that the step takes; absent: it takes none but the whole. */
    outputLimit: z.object({ part: z.enum(['first', 'last']), bytes: whole() }).optional(),
    /** Key by which the step finds this command again, if it may have several. */
    about: z.string().optional(),
  })),
  event('command.finished', () => ({
    commandId: id,
    outcome: z.enum(['exited', 'signalled', 'timed_out', 'cancelled', 'failed_to_start']),
    exitCode: whole().nullable(),
    /** Standard output, and standard error too where the step joins them. */
    output: markedTextSchema,
    /** Standard error; absent if there was none, or it is joined. */
    errorOutput: markedTextSchema.optional(),
    /** The file with everything that was printed, as it was printed. */
    outputPath: z.string().nullable(),
    /** Everything that was printed. */
    outputBytes: whole(),
    error: appErrorSchema.nullable(),
  })),
  event('command.interrupted', () => ({
    commandId: id,
    reason: z.string(),
    workedUntil: whole().nonnegative().optional(),
  })),
] as const;
export type CommandEvent = EventIn<typeof commandEvents>;
