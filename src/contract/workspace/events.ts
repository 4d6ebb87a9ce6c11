import { z } from 'zod';
import { appErrorSchema } from '../errors';
import { localIdSchema } from '../ids';
import { type EventIn, event } from '../run/event-table';
import { scopePathSchema } from '../run/scope/path';
import { fileChangeSchema, takenDiffSchema } from './changes';

const id = localIdSchema;

/** Working folders of single activations, beside that of the run. */
export const workspaceEvents = [
  event('workspace.requested', () => ({
    workspaceId: id,
    activationId: id,
    /** Set where it belongs to one agent of the activation. */
    lane: z.string().nullable(),
    /** Set where it belongs to a scope of the activation. */
    scope: scopePathSchema.optional(),
    /** The workspace whose state it begins with; null: that of the run. */
    from: id.nullable(),
  })),
  event('workspace.ready', () => ({
    workspaceId: id,
    path: z.string(),
    branch: z.string().nullable(),
    baseCommit: z.string().nullable(),
  })),
  event('workspace.failed', () => ({ workspaceId: id, error: appErrorSchema })),
] as const;
export type WorkspaceEvent = EventIn<typeof workspaceEvents>;

/** What agents changed in a workspace, taken while it stands still. */
export const captureEvents = [
  event('capture.started', () => ({
    captureId: id,
    activationId: id,
    /** What the step calls it. */
    name: z.string(),
    /** Null: the run's own. */
    workspaceId: id.nullable(),
    /** From the snapshot before this turn; null: from the workspace's beginning. */
    fromTurn: id.nullable(),
    /** To the snapshot after this turn; null: to what is there now. */
    toTurn: id.nullable(),
  })),
  event('capture.finished', () => ({
    captureId: id,
    /** Null where the workspace can have no snapshots. */
    diff: takenDiffSchema.nullable(),
    files: z.array(fileChangeSchema),
    /** There are more than are listed. */
    filesTruncated: z.boolean(),
  })),
  event('capture.failed', () => ({ captureId: id, error: appErrorSchema })),
] as const;
export type CaptureEvent = EventIn<typeof captureEvents>;

/** What the operator said of a piece of a diff. */
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
] as const;
export type MarkEvent = EventIn<typeof markEvents>;
