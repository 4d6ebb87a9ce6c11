import { pullItemSchema } from '@areas/forges/contract/pull';
import { gateRowSchema } from '@areas/gates/contract/procedures';
import { whole } from '@contract/bounds';
import { runIdSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';

const run = { runId: runIdSchema, runName: z.string(), projectName: z.string().nullable() };

/** A member of a team that has delivered a round and waits for the operator's reply. */
const replySchema = z.object({
  ...run,
  activationId: z.number().int(),
  /** Null: the whole team is idle, and only the operator can restart or end it. */
  member: z.string().nullable(),
  round: z.number().int(),
  since: z.number(),
  lastWords: z.string().nullable(),
});
export type Reply = z.infer<typeof replySchema>;

/** A failed run whose failure the operator has not seen yet. */
const failureSchema = z.object({ ...run, at: z.number(), reason: z.string().nullable() });
export type Failure = z.infer<typeof failureSchema>;

/** What continues by itself at a known time. */
const waitSchema = z.object({
  runId: runIdSchema,
  runName: z.string(),
  projectName: z.string().nullable(),
  at: z.number(),
  what: z.string(),
});
export type Wait = z.infer<typeof waitSchema>;

/** Everything that is listed beside the decisions. */
const besides = {
  replies: z.array(replySchema),
  failures: z.array(failureSchema),
  /** Changes of pull requests, until they no longer hold or were dismissed. */
  pulls: z.array(pullItemSchema),
  waits: z.array(waitSchema),
};
export const besidesSchema = z.lazy(() => z.object(besides));
export type BesidesDecisions = z.infer<typeof besidesSchema>;

/** What needs the operator, and what continues by itself (`waits`). */
const attentionSchema = lazyObject(() => ({
  decisions: z.array(gateRowSchema),
  ...besides,
  /** Snoozed decisions, which are not listed. */
  snoozed: z.number().int(),
  /** How many decisions, replies, failures and changes of pull requests are listed. */
  count: z.number().int(),
}));
export type Attention = z.infer<typeof attentionSchema>;

export const attentionProcedures = {
  /** The one list of what needs the operator. */
  'attention.list': {
    input: lazyObject(() => ({
      /** False leaves the decisions out, for a reader that follows them row by row. */
      decisions: z.boolean().default(true),
    })),
    output: attentionSchema,
  },
  /** Marks failures up to this time as seen; with a run, only that run's failure. */
  'attention.markSeen': {
    input: lazyObject(() => ({ upTo: whole().nonnegative(), runId: runIdSchema.optional() })),
    output: z.object({}),
  },
} as const;
