import { z } from 'zod';
import { jsonSchema } from '../ids';

export const gateKindSchema = z.enum([
  'approval',
  'permission',
  'interrupted_turn',
  'interrupted_command',
  'login',
  'provider_limit',
  'budget',
  'budget_near',
  'review_escalation',
  'merge',
  'team_plan',
  'team_stalled',
  'team_limit',
  'team_wrote',
  'iteration_blocked',
  'iteration_failed',
  'terminal_question',
  'agent_silent',
  'permission_flood',
]);
export type GateKind = z.infer<typeof gateKindSchema>;

/** Whether work stands still at an open gate of this kind; the others only tell the operator of something. */
export const holdsUp = (kind: GateKind): boolean => !ONLY_TELLS.has(kind);
const ONLY_TELLS: ReadonlySet<GateKind> = new Set(['agent_silent', 'permission_flood', 'budget_near']);

export const gateOptionSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    label: z.string(),
    /** What will happen if it is taken, in a sentence. */
    effect: z.string(),
    tone: z.enum(['approve', 'reject', 'neutral']),
    /** The answer counts only with this. */
    needs: z.enum(['text', 'reason']).optional(),
    /** A rejection that ends nothing and can be repeated: it is drawn without alarm. */
    mild: z.boolean().optional(),
  }),
);
export type GateOption = z.infer<typeof gateOptionSchema>;

/** What an agent asks permission for. `hash` is over tool and input: an equal hash is the same question. */
export const permissionRequestSchema = z.lazy(() =>
  z.object({
    tool: z.string(),
    title: z.string(),
    kind: z.string(),
    input: jsonSchema.optional(),
    diffs: z
      .array(z.object({ path: z.string(), oldText: z.string().nullable(), newText: z.string() }))
      .default([]),
    command: z.string().optional(),
    /** Every file that the tool is about, as far as it is told: absolute, links resolved. */
    paths: z.array(z.string()).optional(),
    /** Where the command is to run, absolute, links resolved; left out: in the session's folder. */
    cwd: z.string().optional(),
    /** The folder of the session, from which paths are shown; absent in gates of before it was told. */
    folder: z.string().optional(),
    /** It would be done in the operator's own checkout. */
    own_checkout: z.boolean().optional(),
    hash: z.string(),
  }),
);
export type PermissionRequest = z.infer<typeof permissionRequestSchema>;

/** The operator's answer. `option` is one of the gate's options; `reason` explains a reject; `text` is a typed answer. */
export const gateAnswerSchema = z.lazy(() =>
  z.object({
    option: z.string(),
    reason: z.string().optional(),
    text: z.string().optional(),
    /** The id of the permission rule that was made with the answer. */
    rule: z.string().optional(),
  }),
);
export type GateAnswer = z.infer<typeof gateAnswerSchema>;

/** Whether an answer counts only with a reason: the next attempt is made with it. */
export const needsReason = ({ id, needs }: Pick<GateOption, 'id' | 'needs'>): boolean =>
  needs === 'reason' || id === 'reject' || id === 'revise';

/** Whether an answer counts only with a text of the operator. */
export const needsText = ({ needs }: Pick<GateOption, 'needs'>): boolean => needs === 'text';

/** Which words an answer lacks; null where it can be given. Core, window and command line all ask this. */
export function missingWords(
  option: GateOption,
  answer: Pick<GateAnswer, 'reason' | 'text'>,
): 'text' | 'reason' | null {
  if (needsText(option) && !answer.text?.trim()) return 'text';
  return needsReason(option) && !answer.reason?.trim() ? 'reason' : null;
}

/** Which of a step's agents a question is about, and in which round. */
export const gateAskerSchema = z.lazy(() =>
  z.object({ name: z.string(), round: z.number().int().positive().optional() }),
);
export type GateAsker = z.infer<typeof gateAskerSchema>;

const LEAVE = new Set(['allow', 'allow_rule', 'allow_always']);

/**
 * Whether an answer at a permission gate lets the agent do it. `allow_always`, which was the agent's own rule, stands
 * in gates of before there were permission rules.
 */
export const givesLeave = (answer: Pick<GateAnswer, 'option'>): boolean => LEAVE.has(answer.option);
