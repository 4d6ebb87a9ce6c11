import { whole } from '@contract/bounds';
import { appErrorSchema } from '@contract/errors';
import { runIdSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import { mergeMethodSchema, pullViewSchema } from './forge';

/** What is written to the forge when a pull request is opened. */
export const pullTextSchema = lazyObject(() => ({
  title: z.string().trim().min(1).max(256),
  body: z.string().max(60_000),
  draft: z.boolean(),
  base: z.string().min(1).max(250),
  reviewers: z.array(z.string().min(1)).max(15),
  labels: z.array(z.string().min(1)).max(50),
}));
export type PullText = z.infer<typeof pullTextSchema>;

/** Everything that opening or updating a pull request writes, shown before it is sent. */
export const pullPreviewSchema = z.lazy(() =>
  pullTextSchema.unwrap().extend({
    runId: runIdSchema,
    /** `owner/name` of the repository that receives the pull request. */
    repository: z.string(),
    host: z.string(),
    /** The branch that is pushed, and where to. */
    head: z.object({ repository: z.string(), branch: z.string(), commit: z.string() }),
    files: whole(),
    issue: whole().nullable(),
    /** The number of the open pull request that is updated: only its branch is written. */
    updates: whole().nullable(),
    /** Identifies exactly this content. */
    shown: z.string(),
  }),
);
export type PullPreview = z.infer<typeof pullPreviewSchema>;

/** A loop that sends failed checks and comments to the agent until the checks pass. */
const fixLoopSchema = lazyObject(() => ({
  round: whole(),
  of: whole(),
  /** Of the round's prompt, which is stored before the session gets it. */
  key: z.string(),
  sent: z.boolean(),
  /** When the round began. */
  at: z.number(),
  /** Why it ended; null while it goes on. */
  ended: z.string().nullable(),
}));

/**
 * What Muster knows of one pull request. It is stored before the forge is written to: an intent in `asked`
 * without a result is looked up at the forge before it is sent again.
 */
export const pullRecordSchema = z.lazy(() =>
  pullTextSchema.unwrap().extend({
    /** In the text of the pull request: finds one whose creation was cut off. */
    key: z.string(),
    runId: runIdSchema,
    runName: z.string(),
    projectName: z.string().nullable(),
    projectPath: z.string(),
    host: z.string(),
    repository: z.string(),
    headRepository: z.string(),
    branch: z.string(),
    /** The commit of the run's result that the operator agreed to push, and the one that is pushed for it. */
    result: z.string(),
    commit: z.string(),
    remote: z.string(),
    /** What was asked for and is not known to be done. */
    asked: z.enum(['open', 'push', 'merge']).nullable(),
    /** How an asked merge is made, and of which commit. */
    merge: z.object({ method: mergeMethodSchema, commit: z.string() }).nullable(),
    /** Why the last try failed. */
    error: appErrorSchema.nullable(),
    number: whole().nullable(),
    url: z.string().nullable(),
    state: z.enum(['opening', 'open', 'closed', 'merged']),
    at: z.number(),
    /** As last read from the forge. */
    view: pullViewSchema.nullable(),
    readAt: z.number().nullable(),
    /** Items that the operator has seen or that went to the agent. */
    handled: z.array(z.string()).max(2_000),
    fix: fixLoopSchema.nullable(),
  }),
);
export type PullRecord = z.infer<typeof pullRecordSchema>;

/** Whether it is open or about to be: a new result updates it instead of opening another one. */
export const mayChange = ({ state }: Pick<PullRecord, 'state'>): boolean =>
  state !== 'closed' && state !== 'merged';

/** A change of a pull request that needs the operator. */
export const pullItemSchema = lazyObject(() => ({
  runId: runIdSchema,
  runName: z.string(),
  projectName: z.string().nullable(),
  /** Stays the same until its cause changes. */
  key: z.string(),
  kind: z.enum(['check_failed', 'changes_requested', 'approved', 'conflict', 'closed', 'failed']),
  number: whole().nullable(),
  url: z.string().nullable(),
  title: z.string(),
  /** One sentence on what happened. */
  what: z.string(),
  at: z.number(),
}));
export type PullItem = z.infer<typeof pullItemSchema>;
