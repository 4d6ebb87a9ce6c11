import { whole } from '@contract/bounds';
import { jsonSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';

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
  'host_lost',
]);
export type GateKind = z.infer<typeof gateKindSchema>;

/** Whether work waits for an open gate of this kind; other kinds only inform the operator. */
export const holdsUp = (kind: GateKind): boolean => !ONLY_TELLS.has(kind);
const ONLY_TELLS: ReadonlySet<GateKind> = new Set([
  'agent_silent',
  'permission_flood',
  'budget_near',
  'host_lost',
]);

export const gateOptionSchema = lazyObject(() => ({
  id: z.string(),
  label: z.string(),
  /** The effect of choosing this option, as a sentence. */
  effect: z.string(),
  tone: z.enum(['approve', 'reject', 'neutral']),
  /** The answer is only valid with this. */
  needs: z.enum(['text', 'reason']).optional(),
  /** A rejection that ends nothing and can be repeated: drawn without the danger colour. */
  mild: z.boolean().optional(),
}));
export type GateOption = z.infer<typeof gateOptionSchema>;

/** A permission request of an agent. `hash` covers tool and input: equal hashes mean the same question. */
export const permissionRequestSchema = lazyObject(() => ({
  tool: z.string(),
  title: z.string(),
  kind: z.string(),
  input: jsonSchema.optional(),
  diffs: z
    .array(z.object({ path: z.string(), oldText: z.string().nullable(), newText: z.string() }))
    .default([]),
  command: z.string().optional(),
  /** All known files that the tool affects: absolute, with links resolved. */
  paths: z.array(z.string()).optional(),
  /** Where the command would run: absolute, with links resolved. Default: the session's folder. */
  cwd: z.string().optional(),
  /** The session's folder, for showing relative paths; absent in older gates. */
  folder: z.string().optional(),
  /** The action would happen in the operator's own checkout. */
  own_checkout: z.boolean().optional(),
  hash: z.string(),
}));
export type PermissionRequest = z.infer<typeof permissionRequestSchema>;

/** The operator's answer. `option` is one of the gate's options; `reason` explains a reject; `text` is a typed answer. */
export const gateAnswerSchema = lazyObject(() => ({
  option: z.string(),
  reason: z.string().optional(),
  text: z.string().optional(),
  /** The id of the permission rule that was made with the answer. */
  rule: z.string().optional(),
}));
export type GateAnswer = z.infer<typeof gateAnswerSchema>;

/** Whether an answer requires a reason, which the next attempt receives. */
export const needsReason = ({ id, needs }: Pick<GateOption, 'id' | 'needs'>): boolean =>
  needs === 'reason' || id === 'reject' || id === 'revise';

/** Whether an answer requires a text from the operator. */
export const needsText = ({ needs }: Pick<GateOption, 'needs'>): boolean => needs === 'text';

/** Which text an answer still lacks; null if it is complete. Used by core, window and command line. */
export function missingWords(
  option: GateOption,
  answer: Pick<GateAnswer, 'reason' | 'text'>,
): 'text' | 'reason' | null {
  if (needsText(option) && !answer.text?.trim()) return 'text';
  return needsReason(option) && !answer.reason?.trim() ? 'reason' : null;
}

/** Which agent of the step a question is about, and in which round. */
export const gateAskerSchema = lazyObject(() => ({
  name: z.string(),
  round: whole().positive().optional(),
}));
export type GateAsker = z.infer<typeof gateAskerSchema>;

const LEAVE = new Set(['allow', 'allow_rule', 'allow_always']);

/**
 * Whether an answer to a permission gate permits the action. Old gates may have `allow_always`, the agent's
 * own rule from before permission rules existed.
 */
export const allowsRequest = (answer: Pick<GateAnswer, 'option'>): boolean => LEAVE.has(answer.option);
