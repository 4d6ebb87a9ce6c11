import { diffScopeSchema } from '@areas/changes/contract/diff-scope';
import { evidencePartSchema } from '@areas/evidence/contract/evidence';
import { ruleDraftSchema } from '@areas/permissions/contract/rule';
import { amount, whole } from '@contract/bounds';
import { appErrorSchema } from '@contract/errors';
import { runIdSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import {
  gateAnswerSchema,
  gateAskerSchema,
  gateKindSchema,
  gateOptionSchema,
  permissionRequestSchema,
} from './gate';
import { askedBeforeSchema } from './previous-answer';

export const gateRowSchema = lazyObject(() => ({
  runId: runIdSchema,
  runName: z.string(),
  projectName: z.string().nullable().optional(),
  /** Its position in a list, for requesting the next page. */
  event: z.number().int().optional(),
  gateId: z.number().int(),
  kind: gateKindSchema,
  status: z.enum(['open', 'resolved', 'withdrawn']),
  stepId: z.string().nullable(),
  stepTitle: z.string().nullable(),
  /** The requesting profile, if an agent asks. */
  agent: z.string().nullable(),
  /** Which agent of the step it is about: a team member, or a role. */
  asker: gateAskerSchema.optional(),
  sessionId: z.number().int().nullable().default(null),
  title: z.string(),
  message: z.string(),
  evidence: z.string().nullable(),
  evidence_parts: z.array(evidencePartSchema).optional(),
  changes: diffScopeSchema.optional(),
  request: permissionRequestSchema.nullable(),
  options: z.array(gateOptionSchema),
  why: z.string().nullable(),
  openedAt: z.number(),
  closedAt: z.number().nullable(),
  answer: gateAnswerSchema.nullable(),
  by: z.string().nullable(),
  snoozedUntil: z.number().nullable(),
  /**
   * Equal for questions of the same cause, which one answer fits. Absent from a core of an earlier version.
   */
  cause: z.string().optional(),
}));
export type GateRow = z.infer<typeof gateRowSchema>;

export const gateProcedures = {
  'gate.list': {
    input: lazyObject(() => ({
      status: z.enum(['open', 'closed']).default('open'),
      limit: whole().max(1000).default(200),
      /** Of this run only. */
      runId: runIdSchema.optional(),
      /** The last row of the previous page: its time in the list (opened, or closed), and its `event`. */
      after: z.object({ at: amount(), event: whole() }).optional(),
    })),
    output: z.lazy(() => z.array(gateRowSchema)),
  },
  'gate.resolve': {
    input: lazyObject(() => ({
      runId: runIdSchema,
      gateId: whole(),
      answer: gateAnswerSchema,
      by: z.string().default('operator'),
      /**
       * What was shown of its changes: `shown` of each `workspace.diff`. The answer is refused with `gate.changed` if
       * they are different now. Absent: if they are not as they were recorded last.
       */
      shown: z.array(z.string()).optional(),
      /** With `allow_rule`: the rule to create. Default: the narrowest one for the run (`rule.suggest`). */
      rule: ruleDraftSchema.optional(),
    })),
    output: gateRowSchema,
  },
  /**
   * Gives the same answer to questions of one cause, one after the other; each is resolved and recorded by
   * itself. Gates that could not be answered are returned with the reason.
   */
  'gate.resolveAlike': {
    input: lazyObject(() => ({
      gates: z
        .array(z.object({ runId: runIdSchema, gateId: whole() }))
        .min(1)
        .max(1000),
      answer: gateAnswerSchema,
      by: z.string().default('operator'),
    })),
    output: lazyObject(() => ({
      answered: z.array(gateRowSchema),
      refused: z.array(
        z.object({
          runId: runIdSchema,
          gateId: z.number().int(),
          title: z.string(),
          error: appErrorSchema,
        }),
      ),
    })),
  },
  /** The previous answer to the same question. */
  'gate.before': {
    input: lazyObject(() => ({ runId: runIdSchema, gateId: whole() })),
    output: lazyObject(() => ({ before: askedBeforeSchema.nullable() })),
  },
  'gate.snooze': {
    input: lazyObject(() => ({ runId: runIdSchema, gateId: whole(), until: amount().nullable() })),
    output: gateRowSchema,
  },
} as const;
