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
    /** Identifies both sides of the file: a viewed mark is for exactly these. Absent in a diff that is a text only. */
    content: z.string().optional(),
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
  /** What hunks are taken back with, in the folder that holds them; null: that folder is gone, or is another one. */
  edits: z.object({ sessionId: localIdSchema, turnId: localIdSchema.nullable() }).nullable().default(null),
}));
export type WorkspaceDiffView = z.infer<typeof workspaceDiffSchema>;

/** One side of a changed file. */
const fileSideSchema = lazyObject(() => ({
  bytes: z.number().int(),
  text: z.string().nullable(),
  /** A picture, as base64. */
  image: z.object({ type: z.string(), data: z.string() }).nullable(),
  /** Why there is neither. */
  leftOut: z.enum(['binary', 'large']).nullable(),
}));
export type FileSide = z.infer<typeof fileSideSchema>;

/** A line of a change in which a text was found. */
const changeMatchSchema = lazyObject(() => ({
  path: z.string(),
  kind: z.enum(['same', 'added', 'removed']),
  /** The line number on the new side; on the old one for a removed line. */
  line: z.number().int(),
  /** The hunk that holds the line. */
  hunk: z.string(),
}));
export type ChangeMatch = z.infer<typeof changeMatchSchema>;

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

/** A change of more files is not marked in one step. */
const MOST_MARKED_FILES = 5_000;

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
  /** One changed file on both sides, as text or as pictures. As text only the side that still exists is read. */
  'workspace.file': {
    input: lazyObject(() => ({
      runId: runIdSchema,
      of: diffScopeSchema,
      path: z.string(),
      as: z.enum(['text', 'image']),
    })),
    output: lazyObject(() => ({ old: fileSideSchema.nullable(), fresh: fileSideSchema.nullable() })),
  },
  /** The lines of a change, and of what is shown around it, that contain a text, ignoring case. */
  'workspace.search': {
    input: lazyObject(() => ({ runId: runIdSchema, of: diffScopeSchema, text: z.string().min(1).max(500) })),
    /** `total` counts all of them, and `files` those that are too large to be searched. */
    output: lazyObject(() => ({
      matches: z.array(changeMatchSchema),
      total: z.number().int(),
      files: z.array(z.string()),
    })),
  },
  /** The operator's marks on files and hunks of a run. */
  'workspace.marks': {
    input: lazyObject(() => ({ runId: runIdSchema })),
    /** `viewed`: by `content` of the file. `hunks`: by `session/turn/path/hunk`. */
    output: lazyObject(() => ({
      viewed: z.array(z.string()),
      hunks: z.record(z.string(), z.enum(['accepted', 'rejected'])),
    })),
  },
  /** Marks files, named by their `content`, as viewed or not. */
  'workspace.view': {
    input: lazyObject(() => ({
      runId: runIdSchema,
      files: z.array(z.string()).min(1).max(MOST_MARKED_FILES),
      viewed: z.boolean(),
    })),
    output: z.object({}),
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
