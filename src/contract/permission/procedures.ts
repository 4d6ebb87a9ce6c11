import { z } from 'zod';
import { gateAnswerSchema } from '../gate/gate';
import { localIdSchema, runIdSchema } from '../ids';
import { permissionRuleSchema, ruleDraftSchema } from './rule';

/** A permission request of the past that a rule would have answered, and how it was answered then. */
export const dryRunRowSchema = z.lazy(() =>
  z.object({
    runId: runIdSchema,
    runName: z.string(),
    gateId: localIdSchema,
    agent: z.string().nullable(),
    title: z.string(),
    tool: z.string(),
    command: z.string().nullable(),
    paths: z.array(z.string()),
    openedAt: z.number(),
    answer: gateAnswerSchema.nullable(),
    by: z.string().nullable(),
  }),
);
export type DryRunRow = z.infer<typeof dryRunRowSchema>;

export const dryRunSchema = z.lazy(() =>
  z.object({
    /** How many requests were looked at: the newest ones. */
    looked: z.number().int(),
    /** When the oldest of them was asked; null where there is none. */
    since: z.number().nullable(),
    answered: z.number().int(),
    /** Of those, how many were answered the other way: denied where the rule allows, allowed where it denies. */
    against: z.number().int(),
    /** The newest that it would have answered. */
    rows: z.array(dryRunRowSchema),
  }),
);
export type DryRun = z.infer<typeof dryRunSchema>;

const id = z.string().min(1);

export const ruleProcedures = {
  /** The newest first. `removed` adds those that were removed; `ids` gives just these, removed or not. */
  'rule.list': {
    input: z.lazy(() =>
      z.object({ removed: z.boolean().default(false), ids: z.array(id).max(200).optional() }),
    ),
    output: z.lazy(() => z.array(permissionRuleSchema)),
  },
  /** The narrowest rule that would answer the request of a gate. Refused where no rule can. */
  'rule.suggest': {
    input: z.lazy(() => z.object({ runId: runIdSchema, gateId: localIdSchema })),
    output: ruleDraftSchema,
  },
  'rule.create': {
    input: z.lazy(() => z.object({ rule: ruleDraftSchema, by: z.string().default('operator') })),
    output: permissionRuleSchema,
  },
  /** What a rule says stays; when it ends and why it is there may change, and a removed one may come back. */
  'rule.update': {
    input: z.lazy(() =>
      z.object({
        id,
        expires_at: z.number().int().nonnegative().nullable().optional(),
        reason: z.string().max(2000).optional(),
        removed: z.literal(false).optional(),
      }),
    ),
    output: permissionRuleSchema,
  },
  'rule.remove': { input: z.lazy(() => z.object({ id })), output: permissionRuleSchema },
  /** What a rule would have answered of the newest `limit` requests, as if it had never expired. Changes nothing. */
  'rule.dryRun': {
    input: z.lazy(() =>
      z.object({
        rule: ruleDraftSchema,
        limit: z.number().int().min(1).max(5000).default(1000),
        rows: z.number().int().min(0).max(500).default(100),
      }),
    ),
    output: dryRunSchema,
  },
} as const;
