import { profileIdSchema } from '@areas/agents/contract/profile';
import { whole } from '@contract/bounds';
import { runIdSchema, timestampSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { lazily } from '@contract/lazy-value';
import { z } from 'zod';

/** A pattern: `*` matches any characters, `\` escapes the next character. */
const patternSchema = z.lazy(() =>
  z
    .string()
    .min(1)
    .max(2000)
    .regex(/^[^\0\r\n]*$/, 'a pattern is one line'),
);

const ruleScopeSchema = z.enum(['run', 'project', 'everywhere']);
type RuleScope = z.infer<typeof ruleScopeSchema>;

const says = lazily(() => ({
  agent: z.union([z.literal('*'), profileIdSchema]),
  /** A pattern over the tool's name. */
  tool: patternSchema,
  /**
   * File pattern: `*` within a name, `**` across folders. Relative to the run's workspace, or absolute. Null:
   * any files.
   */
  path: patternSchema.nullable().default(null),
  /** A pattern for the whole command. Null: any command. */
  command: patternSchema.nullable().default(null),
  effect: z.enum(['allow', 'deny']),
  /** Reason; a denied agent is told it. */
  reason: z.string().max(2000).default(''),
  /** The rule does not apply from this time on. Null: no expiry. */
  expires_at: timestampSchema.nullable().default(null),
  scope: ruleScopeSchema,
  /** The run of a rule with `scope: run`. */
  run_id: runIdSchema.nullable().default(null),
  /**
   * The project of a rule with `scope: project`. For a rule of one run: the rule also applies in the
   * operator's own checkout of this project.
   */
  project_id: whole().positive().nullable().default(null),
}));

interface Placed {
  readonly scope: RuleScope;
  readonly run_id: number | null;
  readonly project_id: number | null;
}

/** What is wrong with a rule's scope; null if nothing is. */
function placeTrouble({ scope, run_id, project_id }: Placed): string | null {
  if (scope === 'run') return run_id === null ? 'a rule for one run needs run_id' : null;
  if (run_id !== null) return 'only a rule for one run has run_id';
  if (scope === 'project') return project_id === null ? 'a rule for one project needs project_id' : null;
  return project_id === null ? null : 'a rule that counts everywhere has no project_id';
}

/** A rule before it is saved. */
export const ruleDraftSchema = z.lazy(() =>
  z.strictObject(says()).superRefine((draft, context) => {
    const message = placeTrouble(draft);
    if (message !== null) context.addIssue({ code: 'custom', message, path: ['scope'] });
  }),
);
export type RuleDraft = z.infer<typeof ruleDraftSchema>;

/**
 * A permission rule of the operator: data, matched in the core. Its patterns never change after saving,
 * because history refers to it; it can expire, be removed and be restored.
 */
export const permissionRuleSchema = lazyObject(() => ({
  ...says(),
  id: z.string(),
  created_at: timestampSchema,
  created_by: z.string(),
  /** A removed rule no longer applies, but is kept because history refers to it. */
  removed_at: timestampSchema.nullable(),
  /** How many requests it has answered in the runs that still exist. */
  uses: whole().nonnegative(),
  last_used_at: timestampSchema.nullable(),
}));
export type PermissionRule = z.infer<typeof permissionRuleSchema>;

/** `answeredBy` of a gate that a rule answered. */
export const ruleName = (ruleId: string): string => `rule ${ruleId}`;

/** The id of the rule that answered; null if none did. */
export const ruleIdOf = (by: string | null): string | null =>
  by?.startsWith('rule ') === true ? by.slice('rule '.length) : null;
