import { z } from 'zod';

/** A change of a checkout (a merge, another branch, files put back) that was cut off in the middle. */
export const interruptedCheckoutSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    /** What was being done: "Merge the work of S1". */
    what: z.string(),
    path: z.string(),
    startedAt: z.number(),
    /** Git still works on it by itself: wait. */
    running: z.boolean(),
    /** How many of the files that change are new, as before, incomplete, or hold something of the operator's. */
    counts: z.object({ after: z.number(), before: z.number(), half: z.number(), yours: z.number() }),
    /** The first of them. */
    files: z.array(z.object({ path: z.string(), state: z.enum(['after', 'before', 'half', 'yours']) })),
    /** HEAD is at the new commit. */
    headMoved: z.boolean(),
    /** A lock was left, which keeps git from working in the checkout. */
    locked: z.boolean(),
    /** All of it in words. */
    text: z.string(),
  }),
);
export type InterruptedCheckout = z.infer<typeof interruptedCheckoutSchema>;

export const checkoutProcedures = {
  'checkout.interrupted': {
    input: z.object({}),
    output: z.lazy(() => z.array(interruptedCheckoutSchema)),
  },
  /** Brings all of the checkout to the new state, or back to the old one. */
  'checkout.settle': {
    input: z.lazy(() => z.object({ id: z.string(), how: z.enum(['finish', 'roll_back']) })),
    output: z.lazy(() => z.object({ text: z.string() })),
  },
} as const;
