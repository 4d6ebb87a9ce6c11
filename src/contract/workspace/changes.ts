import { z } from 'zod';
import { amount, whole } from '../bounds';
import { lazyObject } from '../lazy-object';

export const fileChangeSchema = lazyObject(() => ({
  path: z.string(),
  /** Set if the file was moved. */
  oldPath: z.string().nullable(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed', 'type_changed']),
  /** Lines; null for a binary file. */
  added: whole().nullable(),
  removed: whole().nullable(),
}));
export type FileChange = z.infer<typeof fileChangeSchema>;

/**
 * A turn's changes to its workspace: two snapshots, as commits held by Muster's refs, and the size of the
 * difference.
 */
export const turnChangesSchema = lazyObject(() => ({
  before: z.string(),
  after: z.string(),
  files: whole(),
  added: whole(),
  removed: whole(),
  /** Another agent worked in the folder at the same time, so its changes are included. */
  shared: z.boolean().optional(),
}));
export type TurnChanges = z.infer<typeof turnChangesSchema>;

/** A command that an agent ran in a turn, as reported by its tool calls or its terminal. */
export const ranCommandSchema = lazyObject(() => ({
  command: z.string(),
  /** Null if the agent did not report it. */
  exitCode: whole().nullable(),
  /** End of the output. */
  outputTail: z.string(),
  /** When it ended, in milliseconds since 1970, if known. */
  at: amount().optional(),
}));
export type RanCommand = z.infer<typeof ranCommandSchema>;

/** A stored diff: complete in its file, with its beginning here. */
export const takenDiffSchema = lazyObject(() => ({
  from: z.string(),
  to: z.string(),
  text: z.string(),
  truncated: z.boolean(),
  bytes: whole(),
  path: z.string().nullable(),
}));
export type TakenDiff = z.infer<typeof takenDiffSchema>;

export type SnapshotMoment = 'before' | 'after';

/** The name of the snapshot before or after a turn; becomes a ref of Muster's. */
export const turnSnapshot = (uid: string, turnId: number, moment: SnapshotMoment): string =>
  `${uid}/t${turnId}-${moment}`;

/** The name of the snapshot of a branch at the end of its run. */
export const endSnapshot = (uid: string, branch: string): string =>
  `${uid}/ended-${branch.slice(branch.lastIndexOf('/') + 1)}`;

/** The name of the snapshot of a team member's work when it stopped (`work`), or of the current state. */
export const workSnapshot = (
  uid: string,
  { activationId, member }: { readonly activationId: number; readonly member: string },
  moment: 'work' | 'now',
): string => `${uid}/${moment}-${activationId}-${member}`;
