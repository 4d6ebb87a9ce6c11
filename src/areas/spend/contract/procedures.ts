import { whole } from '@contract/bounds';
import { timestampSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';

/** How spend is grouped. */
export const spendBySchema = z.enum([
  'day',
  'project',
  'workflow',
  'run',
  'agent',
  'model',
  'step',
  /** Of loops. */
  'story',
  /** Of members of teams. */
  'round',
]);
export type SpendBy = z.infer<typeof spendBySchema>;

/** Amounts used. Null means that no answer reported it, which is not zero. */
const amounts = {
  /** Agents' turns, and model calls outside of turns. */
  turns: z.number().int(),
  /** Total duration; null if unknown. */
  ms: z.number().nullable(),
  tokens: z.number().nullable(),
  costUsd: z.number().nullable(),
  /** How many turns did not report their tokens, and their cost. */
  tokensUnreported: z.number().int(),
  costUnreported: z.number().int(),
};
export const spendTotalsSchema = z.lazy(() => z.object(amounts));
export type SpendTotals = z.infer<typeof spendTotalsSchema>;

const spendBudgetSchema = lazyObject(() => ({
  tokens: z.number().nullable(),
  costUsd: z.number().nullable(),
  usedTokens: z.number(),
  usedUsd: z.number(),
}));
export type SpendBudget = z.infer<typeof spendBudgetSchema>;

export const spendRowSchema = lazyObject(() => ({
  key: z.string(),
  label: z.string(),
  /** Context: the project of a run, the workflow of a step. */
  detail: z.string().nullable(),
  /** Link target; null if it is not a single thing. */
  runId: z.number().int().nullable(),
  projectId: z.number().int().nullable(),
  file: z.string().nullable(),
  /** For a story or round: whether it was accepted. Null otherwise. */
  accepted: z.boolean().nullable(),
  /** The run's budget, and what the whole run has used of it; null if it has none. */
  budget: spendBudgetSchema.nullable(),
  ...amounts,
}));
export type SpendRow = z.infer<typeof spendRowSchema>;

const time = timestampSchema;

const spendQuerySchema = lazyObject(() => ({
  by: spendBySchema.default('day'),
  /** From this time on, and before that one. */
  from: time.default(0),
  before: time.nullable().default(null),
  projectId: whole().nullable().default(null),
  limit: whole().min(1).max(10_000).default(500),
}));
export type SpendQuery = z.infer<typeof spendQuerySchema>;

const spendSchema = lazyObject(() => ({
  /** Most expensive first; days newest first. */
  rows: z.array(spendRowSchema),
  more: z.boolean(),
  /** Of all rows, including those not listed. */
  totals: spendTotalsSchema,
  /** How many stories or rounds there are, and how many were accepted; null for other groupings. */
  pieces: z.object({ all: z.number().int(), accepted: z.number().int() }).nullable(),
}));
export type Spend = z.infer<typeof spendSchema>;

export const spendProcedures = {
  'spend.list': { input: spendQuerySchema, output: spendSchema },
  /** Writes the rows as CSV. Never overwrites a file. */
  'spend.export': {
    input: z.lazy(() => spendQuerySchema.unwrap().extend({ path: z.string().min(1) })),
    output: lazyObject(() => ({ path: z.string(), rows: z.number().int() })),
  },
} as const;
