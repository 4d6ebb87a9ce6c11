import { minutesSchema } from '@contract/bounds';
import { problemSchema } from '@contract/errors';
import { localIdSchema, newUidSchema, runIdSchema } from '@contract/ids';
import { budgetSchema } from '@contract/workflow/definition';
import { z } from 'zod';
import { planSchema } from './events';
import { loopRowSchema } from './summary';

const loop = { runId: runIdSchema, activationId: localIdSchema };
const minutes = z.lazy(() => minutesSchema.nullable().default(null));

/** The three logs of an attempt, by the names that seed 004 gives them. */
export const loopLogSchema = z.enum(['jsonl', 'message', 'stderr']);
export type LoopLog = z.infer<typeof loopLogSchema>;

/** Where a loop is to work: in a worktree of its own, or in the operator's own checkout. */
const workspace = z.enum(['worktree', 'project']).default('worktree');
const place = {
  projectId: z.number().int(),
  /** Relative to the project. */
  folder: z.string().trim().min(1).default('.'),
  /** Null: the one that prd.json names. */
  branch: z.string().trim().min(1).nullable().default(null),
  workspace,
};

export const loopPreviewSchema = z.lazy(() =>
  z.object({
    /** The plan's file, relative to the project. */
    file: z.string(),
    plan: planSchema,
    /** Which text was read: that of a commit on this branch, or the file as it is there. */
    readFrom: z.object({ kind: z.enum(['branch', 'file']), name: z.string() }),
    /** What keeps the loop from being started (errors), and what should be known before. */
    problems: z.array(problemSchema),
    /** The branch that it will work on; null where nothing names one. */
    branch: z.string().nullable(),
    /** Null: there is no repository. */
    repository: z
      .object({
        branch: z.string().nullable(),
        branchExists: z.boolean(),
        /** Files that are not committed; the first few of them. */
        changed: z.number().int(),
        changedFiles: z.array(z.string()),
      })
      .nullable(),
  }),
);
export type LoopPreview = z.infer<typeof loopPreviewSchema>;

export const loopProcedures = {
  /** The loops of the last runs, newest first. */
  'loop.list': {
    input: z.lazy(() => z.object({ limit: z.number().int().min(1).max(1000).default(40) })),
    output: z.lazy(() => z.object({ rows: z.array(loopRowSchema), more: z.boolean() })),
  },
  /** Reads a plan and its repository as a start would find them. Changes nothing. */
  'loop.preview': {
    input: z.lazy(() =>
      z.object({
        ...place,
        /** The id of an agent's profile; left out: it is not looked at. */
        worker: z.string().nullable().default(null),
        /** The loop has a prompt of its own, and needs no prd.json. */
        ownPrompt: z.boolean().default(false),
      }),
    ),
    output: loopPreviewSchema,
  },
  /** Starts a run of one step, `step.ralph`. */
  'loop.start': {
    input: z.lazy(() =>
      z.object({
        ...place,
        uid: newUidSchema,
        name: z.string().trim().min(1).max(120).nullable().default(null),
        /** The id of an agent's profile. */
        worker: z.string().min(1),
        model: z.string().trim().min(1).nullable().default(null),
        iterations: z.number().int().min(1).max(1_000).default(10),
        minutes,
        attemptMinutes: minutes,
        stallAfter: z.number().int().min(2).max(100).default(3),
        /** What all attempts together may use before the operator is asked, as their agents tell it. */
        budget: budgetSchema.unwrap().pick({ tokens: true, cost_usd: true }).nullable().default(null),
        prompt: z.string().trim().min(1).nullable().default(null),
        /** The project's own check, which runs after each attempt. */
        verify: z.string().trim().min(1).max(4_000).nullable().default(null),
        /** Another agent and another model for the retry of an iteration. */
        retryProfile: z.string().min(1).nullable().default(null),
        retryModel: z.string().trim().min(1).nullable().default(null),
        startedBy: z.string().default('operator'),
      }),
    ),
    output: z.lazy(() => z.object({ runId: runIdSchema })),
  },
  /** Watches a ralph.sh that someone else started in the project's folder, and posts the same updates. Read-only. */
  'loop.watch': {
    input: z.lazy(() =>
      z.object({
        uid: newUidSchema,
        projectId: z.number().int(),
        /** Relative to the project. */
        folder: z.string().trim().min(1).default('.'),
        /** The process of the script; without it Muster looks for the one ralph.sh that works in this folder. */
        pid: z.number().int().positive().nullable().default(null),
        /** Maximum iterations, if the command line of the process does not name them. */
        iterations: z.number().int().min(1).max(1_000).default(10),
        startedBy: z.string().default('operator'),
      }),
    ),
    output: z.lazy(() => z.object({ runId: runIdSchema })),
  },
  /** Names the process that runs a watched loop, where none or more than one was found. */
  'loop.nameRunner': {
    input: z.lazy(() => z.object({ ...loop, pid: z.number().int().positive() })),
    output: z.object({}),
  },
  /** The loop waits for the operator after the iteration that continues. Asking twice is asking once. */
  'loop.pause': {
    input: z.lazy(() => z.object({ ...loop, by: z.string().default('operator') })),
    output: z.object({}),
  },
  /** A page of a log, whole lines where a line fits. Never more than `bytes`, however long the file is. */
  'loop.log': {
    input: z.lazy(() =>
      z.object({
        ...loop,
        attemptId: localIdSchema,
        which: loopLogSchema,
        /** Where to begin, in bytes. */
        from: z.number().int().nonnegative().default(0),
        bytes: z
          .number()
          .int()
          .min(1_024)
          .max(1_048_576)
          .default(256 * 1_024),
      }),
    ),
    output: z.lazy(() =>
      z.object({
        /** Where the file lies; null where there is none. */
        path: z.string().nullable(),
        text: z.string(),
        from: z.number().int(),
        /** Where the next page begins; `size` at the end. */
        to: z.number().int(),
        size: z.number().int(),
        /** An attempt after this one wrote over the file, which then is no longer this attempt's. */
        overwritten: z.boolean(),
      }),
    ),
  },
} as const;
