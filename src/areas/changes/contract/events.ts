import { appErrorSchema } from '@contract/errors';
import { localIdSchema } from '@contract/ids';
import { type EventIn, event } from '@contract/run/event-table';
import { scopePathSchema } from '@contract/run/scope/path';
import { z } from 'zod';
import { fileChangeSchema, takenDiffSchema } from './changes';

const id = localIdSchema;

/** Working folders of single activations, in addition to the run's own. */
export const workspaceEvents = [
  event('workspace.requested', () => ({
    workspaceId: id,
    activationId: id,
    /** Set if it belongs to one agent of the activation. */
    lane: z.string().nullable(),
    /** Set if it belongs to a scope of the activation. */
    scope: scopePathSchema.optional(),
    /** The workspace whose state it starts from; null: the run's own. */
    from: id.nullable(),
  })),
  event('workspace.ready', () => ({
    workspaceId: id,
    path: z.string(),
    branch: z.string().nullable(),
    baseCommit: z.string().nullable(),
    /** What the folder lacks, for the operator. */
    notes: z.array(z.string()).optional(),
  })),
  event('workspace.failed', () => ({ workspaceId: id, error: appErrorSchema })),
] as const;
export type WorkspaceEvent = EventIn<typeof workspaceEvents>;

/** Diffs of agents' changes in a workspace, taken while nothing writes to it. */
export const captureEvents = [
  event('capture.started', () => ({
    captureId: id,
    activationId: id,
    /** The step's name for it. */
    name: z.string(),
    /** Null: the run's own. */
    workspaceId: id.nullable(),
    /** From the snapshot before this turn; null: from the start of the workspace. */
    fromTurn: id.nullable(),
    /** To the snapshot after this turn; null: to the current state. */
    toTurn: id.nullable(),
  })),
  event('capture.finished', () => ({
    captureId: id,
    /** Null if the workspace cannot have snapshots. */
    diff: takenDiffSchema.nullable(),
    /** All of them. */
    files: z.array(fileChangeSchema),
    /** What the diff does not show, such as an unfinished merge or changes in a submodule. */
    notes: z.array(z.string()).default([]),
  })),
  event('capture.failed', () => ({ captureId: id, error: appErrorSchema })),
  /** The operator edited the folder: from now on this is the change, on every port that holds it. */
  event('capture.revised', () => ({
    captureId: id,
    diff: takenDiffSchema,
    files: z.array(fileChangeSchema),
    by: z.string(),
  })),
] as const;
export type CaptureEvent = EventIn<typeof captureEvents>;

/** The operator's marks on hunks and files of a diff. */
export const markEvents = [
  event('hunk.marked', () => ({
    sessionId: id,
    turnId: id.nullable(),
    path: z.string(),
    /** Hash of the hunk's lines. */
    hunk: z.string(),
    mark: z.enum(['accepted', 'rejected', 'none']),
    by: z.string(),
  })),
  /** Changed files that the operator has read, each named by both of its sides; an edited file has another name. */
  event('files.viewed', () => ({ files: z.array(z.string()), viewed: z.boolean(), by: z.string() })),
] as const;
export type MarkEvent = EventIn<typeof markEvents>;
