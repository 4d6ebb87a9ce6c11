import { z } from 'zod';
import { appErrorSchema } from '../../errors';
import { localIdSchema, timestampSchema } from '../../ids';
import { lane } from '../../session/events';
import { toolCallsSchema } from '../../session/response';
import { attachmentSchema, turnOutcomeSchema, usageSchema } from '../../session/session';
import { ranCommandSchema, turnChangesSchema } from '../../workspace/changes';
import { type EventIn, event } from '../event-table';

const id = localIdSchema;

/** `operator`: the operator's own prompt in a session, outside of the chain that its step asks for. */
export const turnKindSchema = z.enum(['primary', 'reprompt', 'feedback', 'reminder', 'continue', 'operator']);

export const turnEvents = [
  event('turn.dispatched', () => ({
    turnId: id,
    sessionId: id,
    activationId: id,
    /** Place in the activation's chain of prompts, from 0; a turn that is sent again keeps its ordinal. */
    ordinal: z.number().int().nonnegative(),
    kind: turnKindSchema,
    prompt: z.string(),
    attachments: z.array(attachmentSchema),
    /** How many turns the activation's chain has in all, for "Re-prompt 2/3". */
    of: z.number().int().positive(),
    resendOf: id.nullable(),
    lane,
    /** How it is called on screen, where its kind and place do not tell: `builder: round 2, feedback`. */
    label: z.string().optional(),
    /** The operator's prompt that this turn carries. */
    promptId: id.optional(),
    /**
     * Characters at the beginning of the prompt that repeat what was said before, to a conversation that was begun
     * again and knows nothing of it. Absent: none.
     */
    carried: z.number().int().nonnegative().optional(),
    /** The user messages of which the prompt is made, joined by blank lines. Absent: the prompt is one message. */
    messages: z.array(z.string()).min(1).optional(),
  })),
  /** The operator wants an end of this one turn. */
  event('turn.cancel-requested', () => ({ turnId: id, by: z.string() })),
  event('turn.finished', () => ({
    turnId: id,
    outcome: turnOutcomeSchema,
    stopReason: z.string(),
    response: z.string(),
    usage: usageSchema.nullable(),
    commit: z.string().nullable(),
    error: appErrorSchema.nullable(),
    /** When a provider's limit ends, if the agent told. */
    limitResetsAt: timestampSchema.nullable(),
    changes: turnChangesSchema.nullable().optional(),
    /** Why its folder could not be kept: what the turn changed is not known, and there is no way back to it. */
    unkept: appErrorSchema.optional(),
    commands: z.array(ranCommandSchema).optional(),
    /** The agent has made room in its context: what it was told before it may know in short only. */
    compacted: z.boolean().optional(),
    toolCalls: toolCallsSchema.optional(),
  })),
  event('turn.interrupted', () => ({
    turnId: id,
    reason: z.string(),
    partial: z.string(),
    toolCalls: toolCallsSchema.optional(),
    /** It is known to have gone on until then. */
    workedUntil: z.number().int().nonnegative().optional(),
    /** Muster itself continued: only the process that held the agent died (terminal host or guard). */
    hostDied: z.boolean().optional(),
  })),
] as const;
export type TurnEvent = EventIn<typeof turnEvents>;
