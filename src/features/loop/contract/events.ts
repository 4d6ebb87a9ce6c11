import { codexFactsSchema } from '@areas/agents/contract/codex/facts';
import { updateResultSchema, updateSchema } from '@areas/feed/contract/update';
import { amount, whole } from '@contract/bounds';
import { appErrorSchema } from '@contract/errors';
import { localIdSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { type EventIn, event } from '@contract/run/event-table';
import { z } from 'zod';

const id = localIdSchema;
const activationId = id;
const attemptId = id;

/** The parts of a story in prd.json that Muster reads; others are left alone. */
const storySchema = lazyObject(() => ({
  id: z.string(),
  title: z.string(),
  /** 1 is the highest. */
  priority: amount(),
  passes: z.boolean(),
}));
export type Story = z.infer<typeof storySchema>;

/** The state of prd.json: missing, invalid (with all problems), or parsed. */
export const planSchema = z.lazy(() =>
  z.discriminatedUnion('state', [
    z.object({ state: z.literal('none') }),
    z.object({ state: z.literal('broken'), problems: z.array(z.string()) }),
    z.object({ state: z.literal('read'), branchName: z.string().nullable(), stories: z.array(storySchema) }),
  ]),
);
export type Plan = z.infer<typeof planSchema>;

/**
 * What cannot be separated from the next attempt's work, if that had begun before the examination: the
 * commits, the changes in prd.json, the additions to progress.txt. `log`: the logs are already the other
 * attempt's.
 */
const untoldSchema = z.lazy(() => z.array(z.enum(['commits', 'plan', 'progress', 'log'])));
export type Untold = z.infer<typeof untoldSchema>[number];

/** The state that a later examination is compared with. */
const loopBeforeSchema = lazyObject(() => ({
  /** Null if the folder is in no repository, or in one without a commit. */
  head: z.string().nullable(),
  plan: planSchema,
  /** Size and hash of progress.txt: whatever follows was appended by the attempt. */
  progressBytes: whole(),
  progressHash: z.string(),
  /** How often HEAD had been moved by then, according to its reflog. */
  moves: whole().optional(),
  /** What may be the previous attempt's work, because the two cannot be separated. */
  untold: untoldSchema.optional(),
  /** The attempt had begun before the watching: the reconstructed state at its beginning. */
  late: z.boolean().optional(),
}));
export type LoopBefore = z.infer<typeof loopBeforeSchema>;

const loopAfterSchema = lazyObject(() => ({
  head: z.string().nullable(),
  plan: planSchema,
  /** The commit from before is no longer an ancestor. */
  rewritten: z.boolean(),
  /** New commits, oldest first; at most the last hundred. */
  commits: z.array(z.object({ hash: z.string(), subject: z.string() })),
  /** New commits not among these that another branch has. */
  elsewhere: z.array(z.object({ hash: z.string(), branch: z.string() })).optional(),
  /** The end of the text appended to progress.txt. */
  progress: z.string(),
  message: z.string(),
  codex: codexFactsSchema.nullable(),
  /** As before an attempt: the size of progress.txt when this one ended. */
  progressBytes: whole().optional(),
  progressHash: z.string().optional(),
  untold: untoldSchema.optional(),
  /** The branch that was checked out, null if none; absent if irrelevant. */
  branch: z.string().nullable().optional(),
  /**
   * The commit that was checked out, if that was not the loop's branch; commits and plan here are the
   * branch's.
   */
  checkedOut: z.string().nullable().optional(),
  /**
   * Whether the loop's branch was checked out again afterwards; in older histories that was left to the
   * next attempt.
   */
  putBack: z.boolean().optional(),
  /**
   * Ignored files that changed in the project too and could not be merged: the loop's versions are beside
   * them.
   */
  conflicts: z.array(z.string()).optional(),
}));
export type LoopAfter = z.infer<typeof loopAfterSchema>;

/** The result of the project's own check after an attempt. */
const attemptCheckSchema = lazyObject(() => ({
  command: z.string(),
  outcome: z.enum(['exited', 'signalled', 'timed_out', 'cancelled', 'failed_to_start']),
  exitCode: whole().nullable(),
  /** End of the output. */
  output: z.string(),
  outputPath: z.string().nullable(),
}));
export type AttemptCheck = z.infer<typeof attemptCheckSchema>;

/**
 * How an attempt's worker ended. All except `answered` count as a crash, unless the evidence proves
 * otherwise.
 */
const attemptEndSchema = lazyObject(() => ({
  how: z.enum(['answered', 'failed', 'interrupted', 'cancelled', 'unknown']),
  turnId: id.nullable(),
  error: z.string().nullable(),
  /** Absent if the loop has no check, or it did not run. */
  check: attemptCheckSchema.optional(),
}));
export type AttemptEnd = z.infer<typeof attemptEndSchema>;

/** The observed runner of a watched loop. */
export const watchSeenSchema = lazyObject(() => ({
  /**
   * `found`: the only matching process. `named`: the operator named it. `several` match, so the operator
   * must name one. `none` matches. `untold`: this system does not list processes.
   */
  how: z.enum(['found', 'named', 'several', 'none', 'untold']),
  processes: z.array(
    z.object({
      pid: whole().positive(),
      /** The script that it runs, as in its command line. Nothing else of that line is stored. */
      script: z.string(),
      /** In milliseconds since 1970. */
      startedAt: amount().nullable(),
      /** N, if its command line contains it. */
      iterations: whole().positive().nullable(),
      /** Together with the pid, identifies the process permanently. */
      mark: z.string(),
    }),
  ),
}));
export type WatchSeen = z.infer<typeof watchSeenSchema>;

/** A log that existed when the watching began. */
const pastLogSchema = lazyObject(() => ({
  iteration: whole().positive(),
  mark: z.string(),
  ended: z.boolean(),
  /** Modification time in milliseconds since 1970, by the file system's clock. */
  writtenAt: amount(),
}));
export type PastLog = z.infer<typeof pastLogSchema>;

const handedSchema = lazyObject(() => ({ id: z.string(), title: z.string() }));

export const loopEvents = [
  /** prd.json must be read on its branch: at the beginning, and whenever the operator may have changed it. */
  event('loop.plan-requested', () => ({
    activationId,
    /** The attempt before; 0 before the first. */
    after: whole().nonnegative(),
    /** The folder of prd.json, progress.txt and logs/, relative to the workspace. */
    folder: z.string(),
    /** Null: the branch named in prd.json. */
    branch: z.string().nullable(),
    /** Maximum number of iterations. */
    of: whole().positive(),
  })),
  event('loop.plan-read', () => ({
    activationId,
    after: whole().nonnegative(),
    plan: planSchema,
    branch: z.string().nullable(),
    /** Where the previous plan was archived, relative to the folder. */
    archived: z.string().nullable(),
  })),
  event('loop.plan-refused', () => ({
    activationId,
    after: whole().nonnegative(),
    error: appErrorSchema,
  })),
  event('loop.attempt-started', () => ({
    activationId,
    attemptId,
    iteration: whole().positive(),
    of: whole().positive(),
    /** 0 for the first try of an iteration. */
    retry: whole().nonnegative(),
    /** The story given to the worker; null if there is no plan. */
    story: handedSchema.nullable(),
    /** The operator's text when they let the loop continue. */
    text: z.string().nullable(),
    /** For a watched loop: distinguishes this attempt's log from another one with the same name. */
    mark: z.string().optional(),
    /** The project's check that runs afterwards. */
    verify: z.string().optional(),
  })),
  /** Null if the state could not be determined, with the reason: the attempt does not begin. */
  event('loop.attempt-prepared', () => ({
    activationId,
    attemptId,
    before: loopBeforeSchema.nullable(),
    error: appErrorSchema.nullable(),
  })),
  event('loop.attempt-ended', () => ({ activationId, attemptId, end: attemptEndSchema })),
  /** Null if the state could not be determined, with the reason. */
  event('loop.attempt-examined', () => ({
    activationId,
    attemptId,
    after: loopAfterSchema.nullable(),
    error: appErrorSchema.nullable(),
  })),
  /** Committed together with the attempt's update and its cause. */
  event('loop.attempt-judged', () => ({
    activationId,
    attemptId,
    result: updateResultSchema,
    storyId: z.string().nullable(),
    storyTitle: z.string().nullable(),
    storySource: updateSchema.shape.storySource,
    commit: z.string().nullable(),
    summary: z.array(z.string()),
    warnings: z.array(z.string()),
    /** The worker's own claim in its last line. */
    claim: updateResultSchema.nullable(),
    /** The number of the deciding rule in `judge.ts`. */
    rule: whole(),
    /** Why it is unsafe to continue without asking. */
    halt: z.string().nullable(),
    /** The worker printed the promise tag. */
    promised: z.boolean(),
    /** The second failure, which ends the loop. */
    terminal: z.boolean(),
  })),
  event('loop.story-skipped', () => ({ activationId, storyId: z.string(), by: z.string() })),
  /** Someone else runs the loop; Muster only watches. */
  event('loop.watch-started', () => ({
    activationId,
    folder: z.string(),
    of: whole().positive(),
    pid: whole().positive().nullable(),
  })),
  /** The observed runner; reported again only when it changes. */
  event('loop.watch-observed', () => ({
    activationId,
    seen: watchSeenSchema,
    /** prd.json at that time; absent if it was not read. */
    plan: planSchema.optional(),
  })),
  /** Logs of attempts from before the watching, which are not reported. */
  event('loop.watch-noted', () => ({
    activationId,
    past: z.array(pastLogSchema),
    /** The comparison state for the first attempt, in case it ends before the next look. */
    before: loopBeforeSchema.optional(),
  })),
  event('loop.watch-ended', () => ({ activationId, why: z.string(), plan: planSchema })),
  /** The loop must wait for the operator after the current iteration. */
  event('loop.pause-requested', () => ({ activationId, by: z.string() })),
] as const;
export type LoopEvent = EventIn<typeof loopEvents>;
