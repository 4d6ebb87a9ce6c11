import { z } from 'zod';
import { whole } from '../../bounds';
import { appErrorSchema } from '../../errors';
import { localIdSchema, timestampSchema } from '../../ids';
import { lazyObject } from '../../lazy-object';
import { appliedChangeSchema, applyHowSchema } from './apply';

/** A finished run's result in one working folder. */
export const runResultSchema = lazyObject(() => ({
  /** Null: the run's own folder. */
  workspaceId: localIdSchema.nullable(),
  path: z.string(),
  /** The branch with all of the work; null if there is none, and for a plain folder. */
  branch: z.string().nullable(),
  /** Null for a plain folder. */
  commit: z.string().nullable(),
  /** The starting commit of the work. */
  base: z.string().nullable(),
  /** Files that differ from `base`. */
  files: whole().nonnegative(),
  /** How many of them were uncommitted: Muster committed them on `branch`. */
  uncommitted: whole().nonnegative(),
  /** A later folder that contains all of this work. */
  includedIn: localIdSchema.nullable(),
  /** Why the branch could not be freed, or what the commit lacks. */
  note: z.string().nullable(),
  /** Why the folder cannot be read: `commit` is the last state that is known. */
  unread: appErrorSchema.nullable().default(null),
  /** Why the files are no finished work, such as an unfinished merge: the folder stays as it is. */
  unsettled: appErrorSchema.nullable().default(null),
}));
export type RunResult = z.infer<typeof runResultSchema>;

/** An application of a result to the operator's checkout. */
const appliedSchema = lazyObject(() => ({
  workspaceId: localIdSchema.nullable(),
  /** The commit of the result. */
  result: z.string(),
  /** The branch of the checkout. */
  target: z.string(),
  /** The new commit; null if the checkout already contained everything. */
  commit: z.string().nullable(),
  /** Set if the commit has a signature. */
  signed: z.literal(true).optional(),
  /** What it made, if that can be undone. */
  change: appliedChangeSchema.nullable(),
  at: timestampSchema,
}));
export type Applied = z.infer<typeof appliedSchema>;

/** A result as shown: whose work it is, and whether it is in the checkout. */
export const shownResultSchema = z.lazy(() =>
  runResultSchema.unwrap().extend({
    /** Null: work of several steps. */
    stepId: z.string().nullable(),
    /** The step's agent, if each has its own folder. */
    agent: z.string().nullable(),
    /** `STEP` or `STEP/AGENT` for `muster apply --step`; null if the run has only one result to apply. */
    address: z.string().nullable(),
    state: z.enum(['empty', 'included', 'to_apply', 'applied', 'folder', 'unreadable']),
    applied: appliedSchema.nullable(),
  }),
);
export type ShownResult = z.infer<typeof shownResultSchema>;

export const applyOutcomeSchema = lazyObject(() => ({
  kind: z.enum(['applied', 'already']),
  result: shownResultSchema,
  target: z.string(),
  commit: z.string().nullable(),
  /** Files changed in the checkout. */
  files: whole(),
  how: applyHowSchema,
  /** Set if the commit has a signature. */
  signed: z.literal(true).optional(),
}));
export type ApplyOutcome = z.infer<typeof applyOutcomeSchema>;

export const undoOutcomeSchema = lazyObject(() => ({
  /** `already`: it was undone before. */
  kind: z.enum(['undone', 'already']),
  target: z.string(),
  /** Files that are as before. */
  files: whole(),
}));
export type UndoOutcome = z.infer<typeof undoOutcomeSchema>;
