import { localIdSchema, runIdSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import { fileChangeSchema } from './changes';
import { diffScopeSchema } from './diff-scope';

const diffHunkSchema = lazyObject(() => ({
  /** Hash of its lines: the same hunk has the same id in a turn's and a session's diff. */
  id: z.string(),
  oldStart: z.number().int(),
  oldLines: z.number().int(),
  newStart: z.number().int(),
  newLines: z.number().int(),
  /** Each begins with a space, `+`, `-` or `\\`. */
  lines: z.array(z.string()),
}));
export type DiffHunk = z.infer<typeof diffHunkSchema>;

const diffFileSchema = z.lazy(() =>
  fileChangeSchema.unwrap().extend({
    hunks: z.array(diffHunkSchema),
    /** Its hunks are left out: binary, or too large; a large one is read with `only`. */
    leftOut: z.enum(['binary', 'large']).nullable(),
  }),
);
export type DiffFile = z.infer<typeof diffFileSchema>;

const workspaceDiffSchema = lazyObject(() => ({
  /** All of them. */
  files: z.array(diffFileSchema),
  /** Identifies exactly these changes: a confirmation with it holds for nothing else. */
  shown: z.string(),
  /** Compares with the current state, which can change at any moment. */
  live: z.boolean(),
  path: z.string(),
  branch: z.string().nullable(),
  /** The file with the whole diff as git prints it, if it was written. */
  file: z.string().nullable(),
  /** What the changes do not show, such as an unfinished merge or changes in a submodule. */
  notes: z.array(z.string()).default([]),
  /** Why the folder could not be read: these are the changes as last recorded. */
  unread: z.string().nullable().default(null),
}));
export type WorkspaceDiffView = z.infer<typeof workspaceDiffSchema>;

const hunk = {
  runId: runIdSchema,
  sessionId: localIdSchema,
  turnId: localIdSchema.nullable(),
  path: z.string(),
  hunk: z.string(),
};
/** The snapshot that was taken first: `workspace.restore` with it puts the whole folder back to before. */
const undo = z.object({
  undo: z.string(),
  /** Branches that were made from the folder before and still have the lines that were taken back. */
  still: z.array(z.string()).optional(),
});

/** A worktree of an ended run, with its branch. */
const leftoverSchema = lazyObject(() => ({
  runId: runIdSchema,
  runName: z.string(),
  projectPath: z.string(),
  path: z.string(),
  branch: z.string(),
  /**
   * `unapplied`: its work is in no checkout and in no other folder of the run. `unfinished`: it was never
   * ready, so no agent worked in it. `unreadable`: it may have work that Muster cannot read, so it is never removed.
   */
  state: z.enum(['applied', 'empty', 'included', 'unapplied', 'unfinished', 'unreadable']),
  files: z.number().int(),
}));
export type Leftover = z.infer<typeof leftoverSchema>;

export const workspaceProcedures = {
  /** Worktrees of ended runs; `unknown`: Muster cannot assess their work. */
  'workspace.leftovers': {
    input: lazyObject(() => ({ runId: runIdSchema.optional() })),
    output: lazyObject(() => ({ leftovers: z.array(leftoverSchema), unknown: z.array(z.string()) })),
  },
  /** Removes worktrees with their branches; those with unapplied work only if `unapplied` is set. */
  'workspace.clean': {
    input: lazyObject(() => ({ runId: runIdSchema.optional(), unapplied: z.boolean().default(false) })),
    output: lazyObject(() => ({
      worktrees: z.array(z.string()),
      /** `restore`: the command that restores the branch. */
      branches: z.array(z.object({ name: z.string(), commit: z.string(), restore: z.string() })),
      notes: z.array(z.string()),
      /** Kept, because their work is not applied, or cannot be read. */
      kept: z.array(leftoverSchema),
    })),
  },
  /** Fails with `not_found` if the folder or the snapshots are gone, and says which. `only`: one file of it. */
  'workspace.diff': {
    input: lazyObject(() => ({ runId: runIdSchema, of: diffScopeSchema, only: z.string().optional() })),
    output: workspaceDiffSchema,
  },
  'workspace.accept': {
    input: lazyObject(() => ({ ...hunk, accepted: z.boolean() })),
    output: z.object({}),
  },
  /** Undoes a hunk in the folder. Refused while an agent works there, or if it no longer applies. */
  'workspace.reject': { input: z.lazy(() => z.object(hunk)), output: undo },
  /**
   * Reapplies a hunk that was undone; `undo` is the value from `workspace.reject`. Later changes of the
   * folder are kept. Fails with `conflict`, changing nothing, if the lines no longer match.
   */
  'workspace.undo': {
    input: lazyObject(() => ({ runId: runIdSchema, sessionId: localIdSchema, undo: z.string() })),
    output: undo,
  },
  /** Restores the folder's files to a snapshot; the current state is saved as another snapshot first. */
  'workspace.restore': {
    input: lazyObject(() => ({ runId: runIdSchema, sessionId: localIdSchema, snapshot: z.string() })),
    output: undo,
  },
} as const;
