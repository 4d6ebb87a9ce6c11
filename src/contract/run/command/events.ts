import { z } from 'zod';
import { amount, whole } from '../../bounds';
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
    timeoutSeconds: amount().nullable(),
    /** Key by which the step finds this command again, if it may have several. */
    about: z.string().optional(),
  })),
  event('command.finished', () => ({
    commandId: id,
    outcome: z.enum(['exited', 'signalled', 'timed_out', 'cancelled', 'failed_to_start']),
    exitCode: whole().nullable(),
    output: z.string(),
    outputPath: z.string().nullable(),
    outputBytes: whole(),
    truncated: z.boolean(),
    error: appErrorSchema.nullable(),
  })),
  event('command.interrupted', () => ({
    commandId: id,
    reason: z.string(),
    workedUntil: whole().nonnegative().optional(),
  })),
] as const;
export type CommandEvent = EventIn<typeof commandEvents>;
