import { gateAnswerSchema } from '@areas/gates/contract/gate';
import { whole } from '@contract/bounds';
import { localIdSchema, runIdSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import { permissionRuleSchema, ruleDraftSchema } from './rule';

/** A past permission request that a rule would have answered, and its actual answer. */
const dryRunRowSchema = lazyObject(() => ({
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
}));
export type DryRunRow = z.infer<typeof dryRunRowSchema>;

const dryRunSchema = lazyObject(() => ({
  /** How many of the newest requests were examined. */
  looked: z.number().int(),
  /** When the oldest of them was asked; null if there are none. */
  since: z.number().nullable(),
  answered: z.number().int(),
  /**
   * How many of these had the opposite answer: denied although the rule allows, or allowed although it
   * denies.
   */
  against: z.number().int(),
  /** The newest requests that it would have answered. */
  rows: z.array(dryRunRowSchema),
}));
export type DryRun = z.infer<typeof dryRunSchema>;

const id = z.string().min(1);

export const ruleProcedures = {
  /** Newest first. `removed` includes removed rules; `ids` returns only these rules, removed or not. */
  'rule.list': {
    input: lazyObject(() => ({ removed: z.boolean().default(false), ids: z.array(id).max(200).optional() })),
    output: z.lazy(() => z.array(permissionRuleSchema)),
  },
  /** The narrowest rule that would answer a gate's request. Fails if no rule can. */
  'rule.suggest': {
    input: lazyObject(() => ({ runId: runIdSchema, gateId: localIdSchema })),
    output: ruleDraftSchema,
  },
  'rule.create': {
    input: lazyObject(() => ({ rule: ruleDraftSchema, by: z.string().default('operator') })),
    output: permissionRuleSchema,
  },
  /** A rule's patterns never change; its expiry and reason can, and a removed rule can be restored. */
  'rule.update': {
    input: lazyObject(() => ({
      id,
      expires_at: whole().nonnegative().nullable().optional(),
      reason: z.string().max(2000).optional(),
      removed: z.literal(false).optional(),
    })),
    output: permissionRuleSchema,
  },
  'rule.remove': { input: lazyObject(() => ({ id })), output: permissionRuleSchema },
  /**
   * Which of the newest `limit` requests a rule would have answered, as if it had never expired. Changes
   * nothing.
   */
  'rule.dryRun': {
    input: lazyObject(() => ({
      rule: ruleDraftSchema,
      limit: whole().min(1).max(5000).default(1000),
      rows: whole().min(0).max(500).default(100),
    })),
    output: dryRunSchema,
  },
} as const;
