import { z } from 'zod';
import { localIdSchema, timestampSchema } from '../ids';

/** What a finished run left in one working folder. */
export const runResultSchema = z.lazy(() =>
  z.object({
    /** Null: the run's own folder. */
    workspaceId: localIdSchema.nullable(),
    path: z.string(),
    /** Holds all of it; null where no branch does, and for a plain folder. */
    branch: z.string().nullable(),
    /** Null for a plain folder. */
    commit: z.string().nullable(),
    /** What the work began with. */
    base: z.string().nullable(),
    /** Files that differ from `base`. */
    files: z.number().int().nonnegative(),
    /** How many of them no one had committed: Muster committed them on `branch`. */
    uncommitted: z.number().int().nonnegative(),
    /** A later folder that has all of this work. */
    includedIn: localIdSchema.nullable(),
    /** Why the branch could not be freed, or what is not in the commit. */
    note: z.string().nullable(),
  }),
);
export type RunResult = z.infer<typeof runResultSchema>;

/** Brought into the operator's checkout: which result, and where it went. */
export const appliedSchema = z.lazy(() =>
  z.object({
    workspaceId: localIdSchema.nullable(),
    /** The commit of the result. */
    result: z.string(),
    /** The branch of the checkout. */
    target: z.string(),
    /** The commit that was made there; null where the checkout had everything already. */
    commit: z.string().nullable(),
    at: timestampSchema,
  }),
);
export type Applied = z.infer<typeof appliedSchema>;

/** A result as it is shown: whose work it is, and whether it is in the checkout. */
export const shownResultSchema = z.lazy(() =>
  runResultSchema.unwrap().extend({
    /** Null: work of no single step. */
    stepId: z.string().nullable(),
    /** The agent of the step, where each has a folder of its own. */
    agent: z.string().nullable(),
    /** `STEP` or `STEP/AGENT` for `muster apply --step`; null where the run has one result alone to apply. */
    address: z.string().nullable(),
    state: z.enum(['empty', 'included', 'to_apply', 'applied', 'folder']),
    applied: appliedSchema.nullable(),
  }),
);
export type ShownResult = z.infer<typeof shownResultSchema>;

export const applyOutcomeSchema = z.lazy(() =>
  z.object({
    kind: z.enum(['applied', 'already']),
    result: shownResultSchema,
    target: z.string(),
    commit: z.string().nullable(),
    /** Files that changed in the checkout. */
    files: z.number().int(),
  }),
);
export type ApplyOutcome = z.infer<typeof applyOutcomeSchema>;
