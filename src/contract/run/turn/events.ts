import { ranCommandSchema, turnChangesSchema } from '@areas/changes/contract/changes';
import { lane } from '@areas/sessions/contract/events';
import { toolCallsSchema } from '@areas/sessions/contract/response';
import { attachmentSchema, turnOutcomeSchema, usageSchema } from '@areas/sessions/contract/session';
import { z } from 'zod';
import { whole } from '../../bounds';
import { appErrorSchema } from '../../errors';
import { localIdSchema, timestampSchema } from '../../ids';
import { wholeTextSchema } from '../../whole-text';
import { type EventIn, event } from '../event-table';

const id = localIdSchema;

/** `operator`: the operator's own prompt, outside of the step's chain of prompts. */
export const turnKindSchema = z.enum(['primary', 'reprompt', 'feedback', 'reminder', 'continue', 'operator']);

export const turnEvents = [
  event('turn.dispatched', () => ({
    turnId: id,
    sessionId: id,
    activationId: id,
    /** Position in the activation's chain of prompts, from 0; a resent turn keeps its ordinal. */
    ordinal: whole().nonnegative(),
    kind: turnKindSchema,
    prompt: z.string(),
    attachments: z.array(attachmentSchema),
    /** Number of turns in the activation's chain, for "Re-prompt 2/3". */
    of: whole().positive(),
    resendOf: id.nullable(),
    lane,
    /** Title on screen, if kind and position do not determine it: `builder: round 2, feedback`. */
    label: z.string().optional(),
    /** The operator's prompt that this turn carries. */
    promptId: id.optional(),
    /**
     * Number of characters at the start of the prompt that repeat an earlier conversation, for an agent that
     * lost it. Absent: none.
     */
    carried: whole().nonnegative().optional(),
    /**
     * The user messages that the prompt combines, joined by blank lines. Absent: the prompt is one message.
     */
    messages: z.array(z.string()).min(1).optional(),
  })),
  /** The operator cancels this one turn; with `again` its prompt is sent once more when it has ended. */
  event('turn.cancel-requested', () => ({ turnId: id, by: z.string(), again: z.boolean().optional() })),
  event('turn.finished', () => ({
    turnId: id,
    outcome: turnOutcomeSchema,
    stopReason: z.string(),
    response: wholeTextSchema,
    usage: usageSchema.nullable(),
    commit: z.string().nullable(),
    error: appErrorSchema.nullable(),
    /** When the provider's limit ends, if the agent reported it. */
    limitResetsAt: timestampSchema.nullable(),
    changes: turnChangesSchema.nullable().optional(),
    /** Why its folder could not be kept: the turn's changes are unknown and cannot be undone. */
    unkept: appErrorSchema.optional(),
    commands: z.array(ranCommandSchema).optional(),
    /** The agent compacted its context: it may remember earlier messages only in summary. */
    compacted: z.boolean().optional(),
    toolCalls: toolCallsSchema.optional(),
  })),
  event('turn.interrupted', () => ({
    turnId: id,
    reason: z.string(),
    partial: wholeTextSchema,
    toolCalls: toolCallsSchema.optional(),
    /** It is known to have been working until then. */
    workedUntil: whole().nonnegative().optional(),
    /** Muster itself continued: only the process that held the agent died (terminal host or guard). */
    hostDied: z.boolean().optional(),
  })),
] as const;
export type TurnEvent = EventIn<typeof turnEvents>;
