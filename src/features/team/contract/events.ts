import { appErrorSchema } from '@contract/errors';
import { localIdSchema } from '@contract/ids';
import { keyedSchema } from '@contract/run/command-key';
import { type EventIn, event } from '@contract/run/event-table';
import { claimSchema } from '@contract/session/task-result';
import { turnChangesSchema } from '@contract/workspace/changes';
import { mergeChoicesSchema, mergeConflictSchema } from '@contract/workspace/merge';
import { z } from 'zod';

const id = localIdSchema;
const activationId = id;

/** The names under which the two that are no members speak. No member may bear them. */
export const LEAD = 'lead';
export const OPERATOR = 'operator';

export const memberNameSchema = z.lazy(() =>
  z
    .string()
    .regex(
      /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?$/,
      'a name has up to 64 letters, digits and inner hyphens',
    )
    .refine(
      (name) => ![LEAD, OPERATOR, 'all', 'everyone'].includes(name.toLowerCase()),
      'this name is taken',
    ),
);

/** How a member is to work (seed 003; the parameters of `team_spawn`). */
export const memberSpecSchema = z.lazy(() =>
  z.object({
    name: memberNameSchema,
    profileId: z.string(),
    model: z.string().nullable(),
    prompt: z.string().min(1),
    /** Works round after round until the operator releases it. */
    iterative: z.boolean(),
    readOnly: z.boolean(),
    /** In a worktree and on a branch of its own; a read-only member needs none. */
    worktree: z.boolean(),
    planApproval: z.boolean(),
    /** Minutes that it may wait for an answer before it is parked; null: the team's own. */
    idleMinutes: z.number().positive().nullable(),
  }),
);
export type MemberSpec = z.infer<typeof memberSpecSchema>;

/**
 * `instruction`: from the lead or the operator to one member; the only kind that starts a round.
 * `note`: between members, or to all: it is read with the next round and wakes no one.
 * `result`: what a member delivered; `notice`: what the runtime has to tell the lead.
 */
export const messageKindSchema = z.enum(['instruction', 'note', 'result', 'notice']);
export type MessageKind = z.infer<typeof messageKindSchema>;

export const taskStatusSchema = z.enum(['pending', 'blocked', 'in_progress', 'completed', 'cancelled']);

export const teamEvents = [
  event('team.member-added', () => ({
    activationId,
    member: memberSpecSchema,
    by: z.string(),
  })),
  event('team.message', () => ({
    activationId,
    messageId: id,
    from: z.string(),
    /** Each has a delivery of its own. */
    to: z.array(z.string()),
    kind: messageKindSchema,
    text: z.string(),
    /** What the runtime knows a notice by again. */
    about: z.string().optional(),
    /** The sender's turn in flight. */
    turnId: id.optional(),
    keyed: keyedSchema,
  })),
  /** A message that waits was changed or taken back by the operator who wrote it. */
  event('team.message-edited', () => ({ activationId, messageId: id, text: z.string() })),
  event('team.message-withdrawn', () => ({ activationId, messageId: id, by: z.string() })),
  /** Committed together with the turn that carries the messages: so each is delivered exactly once. */
  event('team.delivered', () => ({
    activationId,
    to: z.string(),
    messageIds: z.array(id),
    turnId: id,
    /** The round that the turn begins; null where it belongs to the one that continues, and for the lead. */
    round: z.number().int().positive().nullable(),
    /** The last round of a member that was released. */
    final: z.boolean(),
  })),
  /** Someone read messages without a turn: the lead by `team_results`. */
  event('team.seen', () => ({ activationId, reader: z.string(), messageIds: z.array(id) })),
  event('team.result', () => ({
    activationId,
    member: z.string(),
    round: z.number().int().positive(),
    turnId: id,
    claim: claimSchema,
    /** Inside the tags, or the whole response where there are none. */
    text: z.string(),
    changes: turnChangesSchema.nullable(),
    final: z.boolean(),
  })),
  /** The operator is satisfied with an iterative member, or has it shut down. */
  event('team.released', () => ({
    activationId,
    member: z.string(),
    how: z.enum(['satisfied', 'shutdown']),
    by: z.string(),
    /** What the operator said, where it was said in words. */
    words: z.string().nullable(),
  })),
  event('team.stopping', () => ({
    activationId,
    member: z.string(),
    by: z.string(),
    /** Without a finishing turn: what is in flight is ended. */
    force: z.boolean(),
  })),
  /** It does nothing any more; its folder is kept as it is now, then it has stopped. Older histories have none. */
  event('team.freezing', () => ({ activationId, member: z.string(), reason: z.string() })),
  event('team.stopped', () => ({
    activationId,
    member: z.string(),
    reason: z.string(),
    /** The state in which its branch is frozen, as a commit; null where it changed nothing. */
    frozen: z.string().nullable(),
  })),
  event('team.stalled', () => ({
    activationId,
    /** A member's name, or `lead` for a lead that is an agent. */
    member: z.string(),
    /** Null where a sign of life ended it. */
    why: z.string().nullable(),
  })),
  event('team.plan', () => ({
    activationId,
    member: z.string(),
    status: z.enum(['pending', 'approved', 'rejected']),
    plan: z.string(),
    reason: z.string().nullable(),
    by: z.string(),
  })),
  event('team.merge-requested', () => ({
    activationId,
    mergeId: id,
    member: z.string(),
    by: z.string(),
  })),
  /** Tried in a scratch worktree; the operator's checkout is not touched. */
  event('team.merge-rehearsed', () => ({
    activationId,
    mergeId: id,
    target: z.string(),
    targetCommit: z.string(),
    files: z.number().int(),
    conflicts: z.array(mergeConflictSchema),
    /** What was tried, as a commit; absent where it is what the member stopped with. */
    commit: z.string().optional(),
    /** Why it was tried once more after the operator had confirmed it: it is shown again, and confirmed again. */
    moved: z.string().optional(),
  })),
  event('team.merge-confirmed', () => ({
    activationId,
    mergeId: id,
    choices: mergeChoicesSchema,
    by: z.string(),
  })),
  event('team.merge-declined', () => ({ activationId, mergeId: id, by: z.string() })),
  event('team.merged', () => ({ activationId, mergeId: id, commit: z.string().nullable() })),
  event('team.merge-failed', () => ({ activationId, mergeId: id, error: appErrorSchema })),
  event('team.task-added', () => ({
    activationId,
    taskId: id,
    content: z.string(),
    priority: z.enum(['high', 'medium', 'low']),
    dependsOn: z.array(id),
    by: z.string(),
    keyed: keyedSchema,
  })),
  event('team.task-claimed', () => ({ activationId, taskId: id, owner: z.string() })),
  /** Its owner is gone: someone else may take it. */
  event('team.task-freed', () => ({ activationId, taskId: id, reason: z.string() })),
  event('team.task-completed', () => ({ activationId, taskId: id, by: z.string() })),
  /** Nothing more is asked of the team: it is done once nothing of it is in flight. */
  event('team.cleaned-up', () => ({ activationId, by: z.string() })),
] as const;
export type TeamEvent = EventIn<typeof teamEvents>;
