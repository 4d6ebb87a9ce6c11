import { z } from 'zod';

/** A file that two sides changed in the same place, with its three texts; null: not in that side. */
export const mergeConflictSchema = z.lazy(() =>
  z.object({
    path: z.string(),
    ours: z.string().nullable(),
    theirs: z.string().nullable(),
    base: z.string().nullable(),
    /** Whether the sides are here whole; what is cut or no text is not written by hand. Absent in old events. */
    shown: z.enum(['whole', 'cut', 'binary']).optional(),
  }),
);

export const conflictChoiceSchema = z.enum(['ours', 'theirs', 'both', 'by_hand']);

/** The operator's choice for each path in conflict, with the text written by hand. */
export const mergeChoicesSchema = z.record(
  z.string(),
  z.object({ take: conflictChoiceSchema, text: z.string().optional() }),
);
export type MergeChoices = z.infer<typeof mergeChoicesSchema>;

/** A merge as it was tried, without touching any work tree. */
export interface Rehearsal {
  /** The branch that was checked out. */
  readonly target: string;
  readonly targetCommit: string;
  /** Number of files that would change. */
  readonly files: number;
  readonly conflicts: z.infer<typeof mergeConflictSchema>[];
  /** What was tried, as a commit; absent where it is what the worker stopped with. */
  readonly commit?: string | undefined;
}
