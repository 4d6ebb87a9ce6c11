import { z } from 'zod';
import { gateRowSchema } from '../gate/procedures';
import { runIdSchema } from '../ids';

const run = { runId: runIdSchema, runName: z.string(), projectName: z.string().nullable() };

/** A member of a team that has delivered a round and waits for the operator's word. */
const replySchema = z.object({
  ...run,
  activationId: z.number().int(),
  member: z.string(),
  round: z.number().int(),
  since: z.number(),
  lastWords: z.string().nullable(),
});

/** A run that failed after the operator looked at failures last. */
const failureSchema = z.object({ ...run, at: z.number(), reason: z.string().nullable() });

/** What goes on by itself at a known time. */
const waitSchema = z.object({ runId: runIdSchema, runName: z.string(), at: z.number(), what: z.string() });

/** What needs the operator, and apart from it what waits by itself. */
export const attentionSchema = z.lazy(() =>
  z.object({
    decisions: z.array(gateRowSchema),
    replies: z.array(replySchema),
    failures: z.array(failureSchema),
    waits: z.array(waitSchema),
    /** Decisions that were put off and are not listed. */
    snoozed: z.number().int(),
    /** How many decisions, replies and failures there are. */
    count: z.number().int(),
  }),
);
export type Attention = z.infer<typeof attentionSchema>;

export const attentionProcedures = {
  /** The one list of what needs the operator. */
  'attention.list': { input: z.object({}), output: attentionSchema },
  /** Failures up to this time were seen. */
  'attention.markSeen': {
    input: z.lazy(() => z.object({ upTo: z.number().int().nonnegative() })),
    output: z.object({}),
  },
} as const;
