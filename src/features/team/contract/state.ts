import type { AppError } from '@contract/errors';
import type { LocalId } from '@contract/ids';
import type { OfType } from '@contract/run/event-table';
import type { z } from 'zod';
import type { MemberSpec, MessageKind, TeamEvent, taskStatusSchema } from './events';

export type TaskStatus = z.infer<typeof taskStatusSchema>;

export interface Delivery {
  readonly to: string;
  /** Position among all messages to this recipient, from 1. */
  readonly seq: number;
  readonly state: 'queued' | 'delivered' | 'seen' | 'acted' | 'withdrawn';
  readonly turnId: LocalId | null;
  readonly at: number;
  /** The text that it got, if the message was edited afterwards for others. */
  readonly got?: string;
}

export interface TeamMessage {
  readonly id: LocalId;
  readonly from: string;
  readonly kind: MessageKind;
  /** As last edited. What one recipient got is `textFor`. */
  readonly text: string;
  readonly at: number;
  readonly about: string | null;
  /** The sender's turn, if an agent sent it during one. */
  readonly turnId: LocalId | null;
  readonly edited: boolean;
  readonly deliveries: Readonly<Record<string, Delivery>>;
}

export interface RoundState {
  readonly round: number;
  readonly final: boolean;
  readonly startedAt: number;
  readonly turnIds: readonly LocalId[];
  /** The messages delivered with its turns. */
  readonly messageIds: readonly LocalId[];
  readonly result: Omit<OfType<TeamEvent, 'team.result'>, 'type' | 'activationId'> | null;
  readonly finishedAt: number | null;
}

/**
 * The recorded decisions about a member. Its current status follows from its session and turns:
 * `memberStatus`.
 */
export interface MemberState extends MemberSpec {
  readonly addedAt: number;
  readonly by: string;
  readonly rounds: readonly RoundState[];
  readonly released: {
    readonly how: 'satisfied' | 'shutdown';
    readonly by: string;
    readonly at: number;
  } | null;
  readonly stopping: { readonly by: string; readonly force: boolean; readonly at: number } | null;
  /** It does nothing more, and its work is being saved. */
  readonly freezing: { readonly reason: string; readonly at: number } | null;
  readonly stopped: {
    readonly reason: string;
    readonly at: number;
    readonly frozen: string | null;
    readonly unread?: AppError;
  } | null;
  readonly failed: { readonly error: AppError; readonly at: number } | null;
  readonly merged: { readonly at: number; readonly commit: string | null } | null;
  readonly stalled: { readonly since: number; readonly why: string } | null;
  readonly plan: {
    readonly status: 'none' | 'pending' | 'approved' | 'rejected';
    readonly text: string;
    readonly reason: string | null;
  };
  /** Messages waiting for it, oldest first. */
  readonly queue: readonly LocalId[];
  /** Number of all messages ever sent to it. */
  readonly sent: number;
}

export interface TaskState {
  readonly id: LocalId;
  readonly content: string;
  readonly priority: 'high' | 'medium' | 'low';
  readonly dependsOn: readonly LocalId[];
  readonly status: TaskStatus;
  readonly owner: string | null;
  readonly by: string;
  readonly at: number;
}

export interface MergeState {
  readonly id: LocalId;
  readonly member: string;
  readonly status: 'requested' | 'rehearsed' | 'confirmed' | 'merged' | 'declined' | 'failed';
  readonly rehearsal: Omit<
    OfType<TeamEvent, 'team.merge-rehearsed'>,
    'type' | 'activationId' | 'mergeId'
  > | null;
  readonly choices: OfType<TeamEvent, 'team.merge-confirmed'>['choices'];
  /** How often it was shown again because the merge differed from the confirmed one. */
  readonly again: number;
  readonly error: AppError | null;
  readonly by: string;
}

/** The team of one activation of a `step.team`. */
export interface TeamState {
  readonly activationId: LocalId;
  members: Record<string, MemberState>;
  messages: Record<LocalId, TeamMessage>;
  tasks: Record<LocalId, TaskState>;
  merges: Record<LocalId, MergeState>;
  /** Messages waiting for the lead, oldest first. */
  leadQueue: readonly LocalId[];
  leadSent: number;
  /** No sign of life from a lead agent in its turn in flight. */
  leadStalled: { readonly since: number; readonly why: string } | null;
  cleanedUp: { readonly by: string; readonly at: number } | null;
  last: { message: number; task: number; merge: number };
}
