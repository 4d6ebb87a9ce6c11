import { budgetSchema } from '@areas/workflows/contract/definition';
import { minutesSchema, whole } from '@contract/bounds';
import { problemSchema } from '@contract/errors';
import { localIdSchema, newUidSchema, runIdSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import { planSchema } from './events';
import { loopRowSchema } from './summary';

const loop = { runId: runIdSchema, activationId: localIdSchema };
const minutes = z.lazy(() => minutesSchema.nullable().default(null));

/** An attempt's three logs, named as in seed 004. */
const loopLogSchema = z.enum(['jsonl', 'message', 'stderr']);
export type LoopLog = z.infer<typeof loopLogSchema>;

/** Whether a loop works in its own worktree, or in the operator's own checkout. */
const workspace = z.enum(['worktree', 'project']).default('worktree');
const place = {
  projectId: whole(),
  /** Relative to the project. */
  folder: z.string().trim().min(1).default('.'),
  /** Null: the branch named in prd.json. */
  branch: z.string().trim().min(1).nullable().default(null),
  workspace,
};

const loopPreviewSchema = lazyObject(() => ({
  /** The plan's file, relative to the project. */
  file: z.string(),
  plan: planSchema,
  /** The source of the text: a commit on this branch, or the file itself. */
  readFrom: z.object({ kind: z.enum(['branch', 'file']), name: z.string() }),
  /** Reasons why the loop cannot start (errors), and warnings. */
  problems: z.array(problemSchema),
  /** The branch that it will work on; null if none is named. */
  branch: z.string().nullable(),
  /** Null: no repository. */
  repository: z
    .object({
      branch: z.string().nullable(),
      branchExists: z.boolean(),
      /** Number of uncommitted files, and the first few of them. */
      changed: z.number().int(),
      changedFiles: z.array(z.string()),
    })
    .nullable(),
}));
export type LoopPreview = z.infer<typeof loopPreviewSchema>;

export const loopProcedures = {
  /** Loops of the latest runs, newest first. */
  'loop.list': {
    input: lazyObject(() => ({ limit: whole().min(1).max(1000).default(40) })),
    output: lazyObject(() => ({ rows: z.array(loopRowSchema), more: z.boolean() })),
  },
  /** Checks a plan and its repository as a start would. Changes nothing. */
  'loop.preview': {
    input: lazyObject(() => ({
      ...place,
      /** The id of an agent's profile; without it, the worker is not checked. */
      worker: z.string().nullable().default(null),
      /** The loop has its own prompt, and needs no prd.json. */
      ownPrompt: z.boolean().default(false),
    })),
    output: loopPreviewSchema,
  },
  /** Starts a run with a single step, `step.ralph`. */
  'loop.start': {
    input: lazyObject(() => ({
      ...place,
      uid: newUidSchema,
      name: z.string().trim().min(1).max(120).nullable().default(null),
      /** The id of an agent's profile. */
      worker: z.string().min(1),
      model: z.string().trim().min(1).nullable().default(null),
      iterations: whole().min(1).max(1_000).default(10),
      minutes,
      attemptMinutes: minutes,
      stallAfter: whole().min(2).max(100).default(3),
      /** What all attempts together may use before the operator is asked, as their agents tell it. */
      budget: budgetSchema.unwrap().pick({ tokens: true, cost_usd: true }).nullable().default(null),
      prompt: z.string().trim().min(1).nullable().default(null),
      /** The project's own check, which runs after each attempt. */
      verify: z.string().trim().min(1).max(4_000).nullable().default(null),
      /** Another agent and model for the retry of an iteration. */
      retryProfile: z.string().min(1).nullable().default(null),
      retryModel: z.string().trim().min(1).nullable().default(null),
      startedBy: z.string().default('operator'),
    })),
    output: lazyObject(() => ({ runId: runIdSchema })),
  },
  /**
   * Watches a ralph.sh that someone else started in the project's folder, and posts the same updates.
   * Read-only.
   */
  'loop.watch': {
    input: lazyObject(() => ({
      uid: newUidSchema,
      projectId: whole(),
      /** Relative to the project. */
      folder: z.string().trim().min(1).default('.'),
      /** The script's process; default: the only ralph.sh working in this folder. */
      pid: whole().positive().nullable().default(null),
      /** Maximum iterations, if the process's command line does not contain them. */
      iterations: whole().min(1).max(1_000).default(10),
      startedBy: z.string().default('operator'),
    })),
    output: lazyObject(() => ({ runId: runIdSchema })),
  },
  /** Names the process that runs a watched loop, if none or several were found. */
  'loop.nameRunner': {
    input: lazyObject(() => ({ ...loop, pid: whole().positive() })),
    output: z.object({}),
  },
  /** The loop waits for the operator after the current iteration. Idempotent. */
  'loop.pause': {
    input: lazyObject(() => ({ ...loop, by: z.string().default('operator') })),
    output: z.object({}),
  },
  /** A page of a log, in whole lines if a line fits. Never more than `bytes`. */
  'loop.log': {
    input: lazyObject(() => ({
      ...loop,
      attemptId: localIdSchema,
      which: loopLogSchema,
      /** Start position, in bytes. */
      from: whole().nonnegative().default(0),
      bytes: whole()
        .min(1_024)
        .max(1_048_576)
        .default(256 * 1_024),
    })),
    output: lazyObject(() => ({
      /** The file's path; null if there is none. */
      path: z.string().nullable(),
      text: z.string(),
      from: z.number().int(),
      /** Start of the next page; `size` at the end. */
      to: z.number().int(),
      size: z.number().int(),
      /** A later attempt overwrote the file, which therefore is no longer this attempt's. */
      overwritten: z.boolean(),
    })),
  },
} as const;
