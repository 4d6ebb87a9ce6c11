import { z } from 'zod';
import { profileIdSchema } from '../catalog/profile';
import { runIdSchema, timestampSchema } from '../ids';
import { lazily } from '../lazy-value';

/** A text in which `*` stands for any characters, and `\` takes the next character as it is. */
const patternSchema = z.lazy(() =>
  z
    .string()
    .min(1)
    .max(2000)
    .regex(/^[^\0\r\n]*$/, 'a pattern is one line'),
);

export const ruleScopeSchema = z.enum(['run', 'project', 'everywhere']);
export type RuleScope = z.infer<typeof ruleScopeSchema>;

const says = lazily(() => ({
  agent: z.union([z.literal('*'), profileIdSchema]),
  /** A pattern over the tool's name. */
  tool: patternSchema,
  /**
   * Which files: `*` within a name, `**` for any folders. Relative to the workspace of the run, or absolute. Null says
   * nothing about files.
   */
  path: patternSchema.nullable().default(null),
  /** A pattern over the whole command. Null says nothing about commands. */
  command: patternSchema.nullable().default(null),
  effect: z.enum(['allow', 'deny']),
  /** Why; where the rule denies, the agent is told. */
  reason: z.string().max(2000).default(''),
  /** From then on it no longer counts. Null: never. */
  expires_at: timestampSchema.nullable().default(null),
  scope: ruleScopeSchema,
  /** The run that it is for; where `scope` is `run`. */
  run_id: runIdSchema.nullable().default(null),
  /**
   * The project that it is for; where `scope` is `project`. On a rule for one run it says that the rule was made for
   * the operator's own checkout of that project too.
   */
  project_id: z.number().int().positive().nullable().default(null),
}));

interface Placed {
  readonly scope: RuleScope;
  readonly run_id: number | null;
  readonly project_id: number | null;
}

/** What is wrong with where a rule counts; null where nothing is. */
function placeTrouble({ scope, run_id, project_id }: Placed): string | null {
  if (scope === 'run') return run_id === null ? 'a rule for one run needs run_id' : null;
  if (run_id !== null) return 'only a rule for one run has run_id';
  if (scope === 'project') return project_id === null ? 'a rule for one project needs project_id' : null;
  return project_id === null ? null : 'a rule that counts everywhere has no project_id';
}

/** A rule as someone writes it down, before it is kept. */
export const ruleDraftSchema = z.lazy(() =>
  z.strictObject(says()).superRefine((draft, context) => {
    const message = placeTrouble(draft);
    if (message !== null) context.addIssue({ code: 'custom', message, path: ['scope'] });
  }),
);
export type RuleDraft = z.infer<typeof ruleDraftSchema>;

/**
 * A permission rule of the operator: data, matched in the core. What it says never changes once it is kept, because
 * history names it; it can be ended, removed and taken back.
 */
export const permissionRuleSchema = z.lazy(() =>
  z.object({
    ...says(),
    id: z.string(),
    created_at: timestampSchema,
    created_by: z.string(),
    /** A removed rule counts no more, and is kept because history names it. */
    removed_at: timestampSchema.nullable(),
    /** How many requests it has answered, in the runs that are kept. */
    uses: z.number().int().nonnegative(),
    last_used_at: timestampSchema.nullable(),
  }),
);
export type PermissionRule = z.infer<typeof permissionRuleSchema>;

/** Who a gate was answered by, where a rule did it. */
export const ruleName = (ruleId: string): string => `rule ${ruleId}`;

/** The id of the rule that answered; null where someone else did. */
export const ruleIdOf = (by: string | null): string | null =>
  by?.startsWith('rule ') === true ? by.slice('rule '.length) : null;
