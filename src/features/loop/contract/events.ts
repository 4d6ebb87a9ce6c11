import { codexFactsSchema } from '@contract/codex/facts';
import { appErrorSchema } from '@contract/errors';
import { localIdSchema } from '@contract/ids';
import { type EventIn, event } from '@contract/run/event-table';
import { updateResultSchema, updateSchema } from '@contract/update/update';
import { z } from 'zod';

const id = localIdSchema;
const activationId = id;
const attemptId = id;

/** What Muster reads of a story of prd.json; the file may hold more, which stays there. */
export const storySchema = z.lazy(() =>
  z.object({
    id: z.string(),
    title: z.string(),
    /** 1 comes first. */
    priority: z.number(),
    passes: z.boolean(),
  }),
);
export type Story = z.infer<typeof storySchema>;

/** prd.json as it was found: not there, not to be used (with all that is wrong), or read. */
export const planSchema = z.lazy(() =>
  z.discriminatedUnion('state', [
    z.object({ state: z.literal('none') }),
    z.object({ state: z.literal('broken'), problems: z.array(z.string()) }),
    z.object({ state: z.literal('read'), branchName: z.string().nullable(), stories: z.array(storySchema) }),
  ]),
);
export type Plan = z.infer<typeof planSchema>;

/**
 * What cannot be told from what the next attempt did, where that had begun before the look: the commits, what changed in
 * prd.json, what was added to progress.txt. `log`: the logs are another attempt's by now.
 */
export const untoldSchema = z.array(z.enum(['commits', 'plan', 'progress', 'log']));
export type Untold = z.infer<typeof untoldSchema>[number];

/** What a later look is compared with. */
export const loopBeforeSchema = z.lazy(() =>
  z.object({
    /** Null where the folder is in no repository, or in one without a commit. */
    head: z.string().nullable(),
    plan: planSchema,
    /** Size and hash of progress.txt: what comes after them was appended by the attempt. */
    progressBytes: z.number().int(),
    progressHash: z.string(),
    /** How often HEAD had been moved by then, as the log of HEAD counts. */
    moves: z.number().int().optional(),
    /** What may be the work of the attempt before, because it could not be told from this one's. */
    untold: untoldSchema.optional(),
    /** The attempt had begun before the watching: this is what could be found out about its beginning. */
    late: z.boolean().optional(),
  }),
);
export type LoopBefore = z.infer<typeof loopBeforeSchema>;

export const loopAfterSchema = z.lazy(() =>
  z.object({
    head: z.string().nullable(),
    plan: planSchema,
    /** The commit from before is no longer an ancestor. */
    rewritten: z.boolean(),
    /** New ones, oldest first; at most the last hundred. */
    commits: z.array(z.object({ hash: z.string(), subject: z.string() })),
    /** New ones that are not among these, and that another branch has. */
    elsewhere: z.array(z.object({ hash: z.string(), branch: z.string() })).optional(),
    /** The end of what was appended to progress.txt. */
    progress: z.string(),
    message: z.string(),
    codex: codexFactsSchema.nullable(),
    /** As in what is looked at before an attempt: how far progress.txt was written when this one was over. */
    progressBytes: z.number().int().optional(),
    progressHash: z.string().optional(),
    untold: untoldSchema.optional(),
    /** The branch that was checked out, null where none was; left out where it does not matter. */
    branch: z.string().nullable().optional(),
    /** The commit that was checked out, where that was not the loop's branch; commits and plan here are the branch's. */
    checkedOut: z.string().nullable().optional(),
    /** Whether the loop's branch was checked out again then; in older histories that was left to the next attempt. */
    putBack: z.boolean().optional(),
    /** Ignored files that changed in the project too and could not be merged: the loop's are beside them. */
    conflicts: z.array(z.string()).optional(),
  }),
);
export type LoopAfter = z.infer<typeof loopAfterSchema>;

/** The project's own check as it ran after an attempt. */
export const attemptCheckSchema = z.lazy(() =>
  z.object({
    command: z.string(),
    outcome: z.enum(['exited', 'signalled', 'timed_out', 'cancelled', 'failed_to_start']),
    exitCode: z.number().int().nullable(),
    /** End of the output. */
    output: z.string(),
    outputPath: z.string().nullable(),
  }),
);
export type AttemptCheck = z.infer<typeof attemptCheckSchema>;

/** How an attempt's worker ended. All but `answered` count as a crash, unless the evidence says more. */
export const attemptEndSchema = z.lazy(() =>
  z.object({
    how: z.enum(['answered', 'failed', 'interrupted', 'cancelled', 'unknown']),
    turnId: id.nullable(),
    error: z.string().nullable(),
    /** Left out where the loop has no check, or it did not run. */
    check: attemptCheckSchema.optional(),
  }),
);
export type AttemptEnd = z.infer<typeof attemptEndSchema>;

/** Who runs a loop that is watched, as far as it was seen. */
export const watchSeenSchema = z.lazy(() =>
  z.object({
    /**
     * `found`: the one process that fits. `named`: the one that the operator named. `several` fit, and none is taken until
     * one is named. `none` fits. `untold`: this system does not tell which processes there are.
     */
    how: z.enum(['found', 'named', 'several', 'none', 'untold']),
    processes: z.array(
      z.object({
        pid: z.number().int().positive(),
        /** The script that it runs, as its command line names it. Nothing else of that line is kept. */
        script: z.string(),
        /** In milliseconds since 1970. */
        startedAt: z.number().nullable(),
        /** N, where its command line tells it. */
        iterations: z.number().int().positive().nullable(),
        /** With the pid it names the process for good. */
        mark: z.string(),
      }),
    ),
  }),
);
export type WatchSeen = z.infer<typeof watchSeenSchema>;

/** A log that was there when the watching began. */
export const pastLogSchema = z.object({
  iteration: z.number().int().positive(),
  mark: z.string(),
  ended: z.boolean(),
  /** In milliseconds since 1970, by the clock of the files. */
  writtenAt: z.number(),
});
export type PastLog = z.infer<typeof pastLogSchema>;

const handedSchema = z.object({ id: z.string(), title: z.string() });

export const loopEvents = [
  /** prd.json is to be read, on its branch: at the beginning, and whenever the operator may have changed it. */
  event('loop.plan-requested', () => ({
    activationId,
    /** The attempt that it follows; 0 before the first. */
    after: z.number().int().nonnegative(),
    /** Where prd.json, progress.txt and logs/ are, relative to the workspace. */
    folder: z.string(),
    /** Null: the one that prd.json names. */
    branch: z.string().nullable(),
    /** How many iterations there may be. */
    of: z.number().int().positive(),
  })),
  event('loop.plan-read', () => ({
    activationId,
    after: z.number().int().nonnegative(),
    plan: planSchema,
    branch: z.string().nullable(),
    /** Where the plan before this one was put, relative to the folder. */
    archived: z.string().nullable(),
  })),
  event('loop.plan-refused', () => ({
    activationId,
    after: z.number().int().nonnegative(),
    error: appErrorSchema,
  })),
  event('loop.attempt-started', () => ({
    activationId,
    attemptId,
    iteration: z.number().int().positive(),
    of: z.number().int().positive(),
    /** 0 for the first try of an iteration. */
    retry: z.number().int().nonnegative(),
    /** The story that is handed to the worker; null where there is no plan. */
    story: handedSchema.nullable(),
    /** What the operator said when they let the loop continue. */
    text: z.string().nullable(),
    /** Of a loop that is only watched: what tells this attempt's log from another's under the same name. */
    mark: z.string().optional(),
    /** The project's check that runs after it. */
    verify: z.string().optional(),
  })),
  event('loop.attempt-prepared', () => ({ activationId, attemptId, before: loopBeforeSchema })),
  event('loop.attempt-refused', () => ({ activationId, attemptId, error: appErrorSchema })),
  event('loop.attempt-ended', () => ({ activationId, attemptId, end: attemptEndSchema })),
  /** Null where nothing could be found out, with the reason. */
  event('loop.attempt-examined', () => ({
    activationId,
    attemptId,
    after: loopAfterSchema.nullable(),
    error: appErrorSchema.nullable(),
  })),
  /** Committed together with the attempt's update, and with what it follows from. */
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
    /** What the worker said of itself in its last line. */
    claim: updateResultSchema.nullable(),
    /** The rule that decided, by its number in `judge.ts`. */
    rule: z.number().int(),
    /** What was found makes it unsafe to continue without being asked. */
    halt: z.string().nullable(),
    /** The worker printed the promise tag. */
    promised: z.boolean(),
    /** It was the second failure, which ends the loop. */
    terminal: z.boolean(),
  })),
  event('loop.story-skipped', () => ({ activationId, storyId: z.string(), by: z.string() })),
  /** Someone else runs the loop; Muster only looks. */
  event('loop.watch-started', () => ({
    activationId,
    folder: z.string(),
    of: z.number().int().positive(),
    pid: z.number().int().positive().nullable(),
  })),
  /** Who runs it was looked for; told again only where something else is seen. */
  event('loop.watch-observed', () => ({
    activationId,
    seen: watchSeenSchema,
    /** prd.json as it was then; left out where it was not looked at. */
    plan: planSchema.optional(),
  })),
  /** Logs of attempts that the watching came too late for: they are told of by no one. */
  event('loop.watch-noted', () => ({
    activationId,
    past: z.array(pastLogSchema),
    /** What the first attempt is compared with, where it ends before anyone looks again. */
    before: loopBeforeSchema.optional(),
  })),
  event('loop.watch-ended', () => ({ activationId, why: z.string(), plan: planSchema })),
  /** The loop is to wait for the operator after the iteration that continues. */
  event('loop.pause-requested', () => ({ activationId, by: z.string() })),
] as const;
export type LoopEvent = EventIn<typeof loopEvents>;
