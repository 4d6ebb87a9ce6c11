import { appErrorSchema } from '@contract/errors';
import { localIdSchema } from '@contract/ids';
import { type EventIn, event } from '@contract/run/event-table';
import { execResultSchema } from '@contract/sandbox/protocol';
import { usageSchema } from '@contract/session/session';
import { z } from 'zod';

const id = localIdSchema;

/** A text too large for the log: it lies in the run's artifacts. */
const storedTextSchema = z.object({
  sha256: z.string(),
  /** Relative to the artifacts of the run. */
  path: z.string(),
  chars: z.number().int().nonnegative(),
});
export type StoredText = z.infer<typeof storedTextSchema>;

const documentSchema = storedTextSchema.extend({ name: z.string() });
export type RlmDocument = z.infer<typeof documentSchema>;

/** A file or folder that was named and is not among the documents. */
const leftOutSchema = z.object({ name: z.string(), why: z.string() });

const confinedSchema = z.object({ osSandbox: z.boolean(), detail: z.string() });

/** Which block of which iteration. */
const place = { activationId: id, turnId: id, block: z.number().int().nonnegative() };

export const rlmEvents = [
  event('rlm.documents-requested', () => ({ activationId: id })),
  event('rlm.documents-frozen', () => ({
    activationId: id,
    documents: z.array(documentSchema),
    leftOut: z.array(leftOutSchema),
    /** 128 random bits in hexadecimal digits, for the lines around untrusted content. */
    marker: z.string().regex(/^[0-9a-f]{32}$/),
  })),
  event('rlm.documents-refused', () => ({ activationId: id, error: appErrorSchema })),
  /** A sandbox runs for the activation; `confined` stays with the run permanently. */
  event('rlm.sandbox-started', () => ({ activationId: id, confined: confinedSchema })),
  event('rlm.sandbox-refused', () => ({ activationId: id, error: appErrorSchema })),
  event('rlm.block-started', () => ({ ...place, code: z.string() })),
  /** A block asks the sub-model; `batch` counts from 0 in the block. */
  event('rlm.calls-asked', () => ({
    ...place,
    batch: z.number().int().nonnegative(),
    prompts: z.array(storedTextSchema),
  })),
  event('rlm.call-answered', () => ({
    ...place,
    batch: z.number().int().nonnegative(),
    index: z.number().int().nonnegative(),
    ok: z.boolean(),
    answer: storedTextSchema,
    model: z.string(),
    usage: usageSchema.nullable(),
    durationMs: z.number().int().nonnegative(),
  })),
  event('rlm.block-finished', () => ({ ...place, result: execResultSchema, timedOut: z.boolean() })),
  /** The sandbox ended with the block, and every variable with it. */
  event('rlm.block-lost', () => ({
    ...place,
    reason: z.enum(['time', 'memory', 'crashed', 'misbehaved', 'host', 'closed']),
  })),
  /** A new sandbox could not be brought to where the old one was: the model is told that its variables are gone. */
  event('rlm.variables-lost', () => ({ activationId: id, turnId: id })),
  event('rlm.variable-requested', () => ({ activationId: id, turnId: id, name: z.string() })),
  /** The value of a variable that an answer named; null where there is none. */
  event('rlm.variable-read', () => ({
    activationId: id,
    turnId: id,
    name: z.string(),
    text: z.string().nullable(),
  })),
] as const;
export type RlmEvent = EventIn<typeof rlmEvents>;
