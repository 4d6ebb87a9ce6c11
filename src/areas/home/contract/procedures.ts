import { besidesSchema } from '@areas/attention/contract/procedures';
import { gateKindSchema } from '@areas/gates/contract/gate';
import { spendRowSchema, spendTotalsSchema } from '@areas/spend/contract/procedures';
import { whole } from '@contract/bounds';
import { runIdSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { runRowSchema } from '@contract/run/procedures';
import { z } from 'zod';

/** A waiting question, without its evidence. */
const askedSchema = z.object({
  runId: runIdSchema,
  gateId: z.number().int(),
  kind: gateKindSchema,
  title: z.string(),
  runName: z.string(),
  openedAt: z.number(),
});

/** What happened since the operator last looked, and what is waiting now. */
const homeSchema = lazyObject(() => ({
  /** When the operator last looked; null: never, and `since` is a day ago. */
  lookedAt: z.number().nullable(),
  since: z.number(),
  now: z.number(),
  /** Runs that ended since then, latest first; `failed` holds the failed ones. */
  ended: z.array(runRowSchema),
  failed: z.array(runRowSchema),
  /** More runs have ended than are listed. */
  more: z.boolean(),
  decisions: z.array(askedSchema),
  replies: besidesSchema.unwrap().shape.replies,
  pulls: besidesSchema.unwrap().shape.pulls,
  waits: besidesSchema.unwrap().shape.waits,
  /** How many items need the operator, as shown by every badge; includes unseen failures. */
  needs: z.number().int(),
  running: z.number().int(),
  unread: z.number().int(),
  spend: z.object({ totals: spendTotalsSchema, rows: z.array(spendRowSchema) }),
}));
export type Home = z.infer<typeof homeSchema>;

const empty = z.object({});

export const homeProcedures = {
  'home.get': { input: empty, output: homeSchema },
  /** Records that the operator has looked; an earlier time undoes that. */
  'home.looked': {
    input: lazyObject(() => ({ at: whole().nonnegative().nullable() })),
    output: z.object({ before: z.number().nullable() }),
  },
} as const;
