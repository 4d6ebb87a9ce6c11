import { turnChangesSchema } from '@areas/changes/contract/changes';
import { mergeChoicesSchema, mergeConflictSchema } from '@areas/changes/contract/merge';
import { claimSchema } from '@areas/sessions/contract/task-result';
import { amount, whole } from '@contract/bounds';
import { appErrorSchema } from '@contract/errors';
import { localIdSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { keyedSchema } from '@contract/run/command-key';
import { type EventIn, event } from '@contract/run/event-table';
import { z } from 'zod';

const id = localIdSchema;
const activationId = id;

/** The names of the two speakers that are not members; no member may have them. */
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

/** A member's settings (seed 003; the parameters of `team_spawn`). */
const memberSpecSchema = lazyObject(() => ({
  name: memberNameSchema,
  profileId: z.string(),
  model: z.string().nullable(),
  prompt: z.string().min(1),
  /** Works round after round until the operator releases it. */
  iterative: z.boolean(),
  readOnly: z.boolean(),
  /** In its own worktree and branch; a read-only member needs none. */
  worktree: z.boolean(),
  planApproval: z.boolean(),
  /** Minutes that it may wait for an answer before it is parked; null: the team's default. */
  idleMinutes: amount().positive().nullable(),
}));
export type MemberSpec = z.infer<typeof memberSpecSchema>;

/**
 * `instruction`: from the lead or the operator to one member; the only kind that starts a round. `note`:
 * between members, or to all: it is read with the next round and wakes no one. `result`: a member's delivery;
 * `notice`: from the runtime to the lead.
 */
const messageKindSchema = z.enum(['instruction', 'note', 'result', 'notice']);
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
    /** One delivery for each. */
    to: z.array(z.string()),
    kind: messageKindSchema,
    text: z.string(),
    /** Key by which the runtime finds a notice again. */
    about: z.string().optional(),
    /** The sender's turn in flight. */
    turnId: id.optional(),
    keyed: keyedSchema,
  })),
  /** The operator changed or withdrew their own waiting message. */
  event('team.message-edited', () => ({ activationId, messageId: id, text: z.string() })),
  event('team.message-withdrawn', () => ({ activationId, messageId: id, by: z.string() })),
  /** Committed together with the turn that carries the messages, so that each is delivered exactly once. */
  event('team.delivered', () => ({
    activationId,
    to: z.string(),
    messageIds: z.array(id),
    turnId: id,
    /** The round that the turn begins; null if it continues one, and for the lead. */
    round: whole().positive().nullable(),
    /** The last round of a released member. */
    final: z.boolean(),
  })),
  /** Messages were read without a turn: by the lead with `team_results`. */
  event('team.seen', () => ({ activationId, reader: z.string(), messageIds: z.array(id) })),
  event('team.result', () => ({
    activationId,
    member: z.string(),
    round: whole().positive(),
    turnId: id,
    claim: claimSchema,
    /** The text inside the tags, or the whole response without tags. */
    text: z.string(),
    changes: turnChangesSchema.nullable(),
    final: z.boolean(),
  })),
  /** The operator is satisfied with an iterative member, or shuts it down. */
  event('team.released', () => ({
    activationId,
    member: z.string(),
    how: z.enum(['satisfied', 'shutdown']),
    by: z.string(),
    /** The operator's words, if it was done in words. */
    words: z.string().nullable(),
  })),
  event('team.stopping', () => ({
    activationId,
    member: z.string(),
    by: z.string(),
    /** Without a finishing turn: work in flight is ended. */
    force: z.boolean(),
  })),
  /**
   * The member does nothing more; its folder's state is saved, then it has stopped. Older histories lack
   * this.
   */
  event('team.freezing', () => ({ activationId, member: z.string(), reason: z.string() })),
  event('team.stopped', () => ({
    activationId,
    member: z.string(),
    reason: z.string(),
    /** The final state of its branch, as a commit; null if it changed nothing, or if that is unknown. */
    frozen: z.string().nullable(),
    /** Why its folder could not be read, so that its work is unknown. */
    unread: appErrorSchema.optional(),
  })),
  event('team.stalled', () => ({
    activationId,
    /** A member's name, or `lead` for a lead agent. */
    member: z.string(),
    /** Null if a sign of life ended the stall. */
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
  /** Rehearsed in a scratch worktree, without touching the operator's checkout. */
  event('team.merge-rehearsed', () => ({
    activationId,
    mergeId: id,
    target: z.string(),
    targetCommit: z.string(),
    files: whole(),
    conflicts: z.array(mergeConflictSchema),
    /** What the merge leaves out, such as changes in a submodule. */
    notes: z.array(z.string()).optional(),
    /** The commit that was tried; absent: the member's final state. */
    commit: z.string().optional(),
    /**
     * Why the merge was rehearsed again after the operator's confirmation: it is shown and must be confirmed
     * again.
     */
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
  /** Its owner is gone: another member may claim it. */
  event('team.task-freed', () => ({ activationId, taskId: id, reason: z.string() })),
  event('team.task-completed', () => ({ activationId, taskId: id, by: z.string() })),
  /** The team gets no more instructions: it ends once nothing is in flight. */
  event('team.cleaned-up', () => ({ activationId, by: z.string() })),
] as const;
export type TeamEvent = EventIn<typeof teamEvents>;
