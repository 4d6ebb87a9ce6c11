import { attachmentSchema } from '@areas/sessions/contract/session';
import { z } from 'zod';
import { localIdSchema } from '../../ids';
import { keyedSchema } from '../command-key';
import { type EventIn, event } from '../event-table';

const id = localIdSchema;

/** The operator's own prompts in a session; each becomes a turn once the session is free. */
export const promptEvents = [
  event('prompt.queued', () => ({
    promptId: id,
    sessionId: id,
    text: z.string().min(1),
    attachments: z.array(attachmentSchema),
    by: z.string(),
    keyed: keyedSchema,
  })),
  event('prompt.withdrawn', () => ({ promptId: id, reason: z.string() })),
] as const;
export type PromptEvent = EventIn<typeof promptEvents>;
