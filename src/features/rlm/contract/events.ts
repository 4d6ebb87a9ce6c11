import { usageSchema } from '@areas/sessions/contract/session';
import { whole } from '@contract/bounds';
import { appErrorSchema } from '@contract/errors';
import { localIdSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { type EventIn, event } from '@contract/run/event-table';
import { execResultSchema, replSeedSchema } from '@contract/sandbox/protocol';
import { z } from 'zod';
import { claimFlags, claimVerdicts } from './claims';

const id = localIdSchema;

/** A text too large for the log, stored in the run's artifacts. */
const storedTextSchema = lazyObject(() => ({
  sha256: z.string(),
  /** Relative to the artifacts of the run. */
  path: z.string(),
  chars: whole().nonnegative(),
}));
export type StoredText = z.infer<typeof storedTextSchema>;

const documentSchema = z.lazy(() => storedTextSchema.unwrap().extend({ name: z.string() }));
export type RlmDocument = z.infer<typeof documentSchema>;

/** A named file or folder that is not among the documents. */
const leftOutSchema = lazyObject(() => ({ name: z.string(), why: z.string() }));

const confinedSchema = lazyObject(() => ({ osSandbox: z.boolean(), detail: z.string() }));

const index = whole().nonnegative();

/** The turn, and the index of its block. */
const place = { activationId: id, turnId: id, block: index };

/** A sub-call: its place in a batch of a block, and the hash of its prompt. */
const callPlace = { ...place, batch: index, index, prompt: z.string() };

/** An answer of the sub-model, or its error. */
const answeredCallSchema = lazyObject(() => ({
  ok: z.boolean(),
  answer: storedTextSchema,
  model: z.string(),
  usage: usageSchema.nullable(),
  durationMs: whole().nonnegative(),
}));
export type AnsweredCall = z.infer<typeof answeredCallSchema>;

const checkedCitationsSchema = lazyObject(() => ({
  documents: z.array(z.object({ index, found: z.boolean() })),
  /** The location of a quotation: index of the document and line from 1. Null: in none. */
  quotes: z.array(z.object({ text: z.string(), document: index.nullable(), line: index.nullable() })),
  /** Documents that could not be read: a quotation found in no other may be in them. */
  unread: z.array(z.object({ index, why: z.string() })).optional(),
  /** Why they could not be checked. */
  trouble: z.string().nullable(),
}));
export type CheckedCitations = z.infer<typeof checkedCitationsSchema>;

const checkedClaimSchema = lazyObject(() => ({
  claim: z.string(),
  verdict: z.enum(claimVerdicts),
  reason: z.string(),
  flags: z.array(z.enum(claimFlags)).optional(),
}));
export type CheckedClaim = z.infer<typeof checkedClaimSchema>;

/** `code`: the second check, for an answer about source code. */
const layer = { layer: z.literal('code').optional() };

const verificationSchema = lazyObject(() => ({
  claims: z.array(checkedClaimSchema),
  /** Why it could not be verified, as the end of a sentence. */
  trouble: z.string().nullable(),
  /** The model's reply, if any. */
  reply: storedTextSchema.nullable(),
  model: z.string(),
  usage: usageSchema.nullable(),
  durationMs: whole().nonnegative(),
}));
export type Verification = z.infer<typeof verificationSchema>;

/** A text passed in with the question: another step's output. */
const inlineSchema = lazyObject(() => ({ name: z.string(), text: z.string() }));

export const rlmEvents = [
  event('rlm.documents-requested', () => ({
    activationId: id,
    /** Files, folders and globs as given, absolute or relative to the project. */
    paths: z.array(z.string()),
    inline: z.array(inlineSchema),
  })),
  event('rlm.documents-frozen', () => ({
    activationId: id,
    documents: z.array(documentSchema),
    leftOut: z.array(leftOutSchema),
    /** 128 random bits in hexadecimal, for the lines around untrusted content. */
    marker: z.string().regex(/^[0-9a-f]{32}$/),
    /** Seeds the code's clock and random numbers. Absent: the machine's own. */
    fixed: replSeedSchema.optional(),
  })),
  event('rlm.documents-refused', () => ({ activationId: id, error: appErrorSchema })),
  event('rlm.sandbox-requested', () => ({ activationId: id })),
  /** A sandbox runs for the activation; `confined` stays recorded in the run. */
  event('rlm.sandbox-started', () => ({ activationId: id, confined: confinedSchema })),
  event('rlm.sandbox-refused', () => ({ activationId: id, error: appErrorSchema })),
  event('rlm.block-started', () => ({ ...place, code: z.string() })),
  /**
   * A block asks the sub-model; `batch` counts from 0 in the block. If a block that runs again after a crash
   * asks something else, this replaces that batch and all later ones.
   */
  event('rlm.calls-asked', () => ({
    ...place,
    batch: index,
    /** With the answer if known: it is not requested again. */
    calls: z.array(z.object({ prompt: storedTextSchema, answer: answeredCallSchema.nullable() })),
  })),
  event('rlm.call-started', () => callPlace),
  event('rlm.call-answered', () => ({ ...callPlace, ...answeredCallSchema.unwrap().shape })),
  event('rlm.block-finished', () => ({ ...place, result: execResultSchema, timedOut: z.boolean() })),
  /** The sandbox ended with the block, and was replaced by one without what the block did. */
  event('rlm.block-lost', () => ({
    ...place,
    why: z.enum(['time', 'memory', 'crashed', 'misbehaved', 'host', 'closed']),
    /** What the sandbox said last. */
    detail: z.string().optional(),
  })),
  /** A new sandbox could not restore the old one's state: the model is told that its variables are gone. */
  event('rlm.variables-lost', () => ({ activationId: id, turnId: id })),
  event('rlm.variable-requested', () => ({ activationId: id, turnId: id, name: z.string() })),
  /** The value of the variable that an answer named; null if there is none. */
  event('rlm.variable-read', () => ({
    activationId: id,
    turnId: id,
    name: z.string(),
    text: z.string().nullable(),
  })),
  /** The operator interrupts the running block; its variables are kept. */
  event('rlm.interrupt-requested', () => ({ activationId: id, by: z.string() })),
  /** The answer is known; its citations are being checked against the documents. */
  event('rlm.citations-requested', () => ({
    activationId: id,
    documents: z.array(index),
    quotes: z.array(z.string()),
  })),
  event('rlm.citations-checked', () => ({ activationId: id, ...checkedCitationsSchema.unwrap().shape })),
  /** A second model tries to refute the answer, given the cited documents. */
  event('rlm.verification-requested', () => ({
    activationId: id,
    answer: z.string(),
    documents: z.array(index),
    ...layer,
  })),
  event('rlm.verification-finished', () => ({
    activationId: id,
    ...verificationSchema.unwrap().shape,
    ...layer,
  })),
  /** The sandbox is no longer needed. */
  event('rlm.sandbox-ended', () => ({ activationId: id, why: z.enum(['finished', 'cancelled']) })),
  /** The disk cannot store the texts of sub-calls: the block waits until it can (null). */
  event('rlm.writing-held', () => ({ activationId: id, error: appErrorSchema.nullable() })),
] as const;
export type RlmEvent = EventIn<typeof rlmEvents>;
