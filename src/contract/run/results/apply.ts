import { z } from 'zod';
import { whole } from '../../bounds';
import { appErrorSchema } from '../../errors';
import { lazyObject } from '../../lazy-object';

/**
 * How a result comes into the checkout. `squash`: as one commit. `keep`: as a merge commit that keeps the
 * agents' commits. `files`: staged, without a commit.
 */
export const applyHowSchema = z.enum(['squash', 'keep', 'files']);
export type ApplyHow = z.infer<typeof applyHowSchema>;

/** Longer ones are for a file, not for a history. */
const MOST_MESSAGE = 20_000;

export const commitMessageSchema = z
  .string()
  .max(MOST_MESSAGE)
  .refine((text) => text.trim() !== '', 'a commit message with text')
  .refine((text) => !text.includes('\0'), 'a commit message without NUL characters')
  .transform((text) => text.replaceAll('\r\n', '\n').trim());

/** What an application made of the checkout. */
export const appliedChangeSchema = lazyObject(() => ({
  how: applyHowSchema,
  /** The full name of the branch; null if none was checked out. */
  branch: z.string().nullable(),
  /** The commit of HEAD before, and after; the same if nothing was committed. */
  before: z.string(),
  after: z.string(),
  /** The files afterwards. */
  tree: z.string(),
}));
export type AppliedChange = z.infer<typeof appliedChangeSchema>;

/** What applying a result would do. */
export const applyPreviewSchema = lazyObject(() => ({
  /** Identifies exactly this, as in `workspace.diff`; null if it cannot be applied because of conflicts. */
  shown: z.string().nullable(),
  /** The branch of the checkout. */
  target: z.string(),
  files: whole(),
  /** Files that the result and the checkout changed in different ways. */
  conflicts: z.array(z.string()),
  /** Files of the result that have uncommitted changes in the checkout: Apply would refuse. */
  inTheWay: z.array(z.string()),
  /** The commits that `keep` brings, newest first; the list can be shorter than `commitCount`. */
  commits: z.array(z.object({ commit: z.string(), author: z.string(), subject: z.string() })),
  commitCount: whole(),
  /** The commit message, unless another one is given. */
  message: z.string(),
}));
export type ApplyPreview = z.infer<typeof applyPreviewSchema>;

/** Whether an application can be undone; otherwise why not. */
export const undoableSchema = lazyObject(() => ({
  target: z.string(),
  files: whole(),
  refusal: appErrorSchema.nullable(),
}));
