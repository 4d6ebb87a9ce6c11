import { z } from 'zod';
import { appErrorSchema } from '../../errors';
import { localIdSchema } from '../../ids';
import { type EventIn, event } from '../event-table';

const id = localIdSchema;

export const commandEvents = [
  event('command.started', () => ({
    commandId: id,
    activationId: id,
    workspaceId: id.optional(),
    script: z.string(),
    terminal: z.boolean(),
    env: z.record(z.string(), z.string()),
    timeoutSeconds: z.number().nullable(),
    /** Key by which the step finds this command again, if it may have several. */
    about: z.string().optional(),
  })),
  event('command.finished', () => ({
    commandId: id,
    outcome: z.enum(['exited', 'signalled', 'timed_out', 'cancelled', 'failed_to_start']),
    exitCode: z.number().int().nullable(),
    output: z.string(),
    outputPath: z.string().nullable(),
    outputBytes: z.number().int(),
    truncated: z.boolean(),
    error: appErrorSchema.nullable(),
  })),
  event('command.interrupted', () => ({
    commandId: id,
    reason: z.string(),
    workedUntil: z.number().int().nonnegative().optional(),
  })),
] as const;
export type CommandEvent = EventIn<typeof commandEvents>;
