import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';

/** A file changed by both sides in the same place, with its three texts; null: absent on that side. */
export const mergeConflictSchema = lazyObject(() => ({
  path: z.string(),
  ours: z.string().nullable(),
  theirs: z.string().nullable(),
  base: z.string().nullable(),
  /**
   * Whether both sides are here completely; truncated or binary files cannot be merged by hand. Absent in
   * old events.
   */
  shown: z.enum(['whole', 'cut', 'binary']).optional(),
}));

export const conflictChoiceSchema = z.enum(['ours', 'theirs', 'both', 'by_hand']);

/** The operator's choice for each conflicting path, with any text written by hand. */
export const mergeChoicesSchema = z.record(
  z.string(),
  z.object({ take: conflictChoiceSchema, text: z.string().optional() }),
);
export type MergeChoices = z.infer<typeof mergeChoicesSchema>;

/** A merge rehearsal, which does not touch any work tree. */
export interface Rehearsal {
  /** The branch that was checked out. */
  readonly target: string;
  readonly targetCommit: string;
  /** Number of files that would change. */
  readonly files: number;
  readonly conflicts: z.infer<typeof mergeConflictSchema>[];
  /** The commit that was tried; absent: the worker's last commit. */
  readonly commit?: string | undefined;
}
