import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';

/** A change of a checkout (merge, branch switch, restored files) that was interrupted halfway. */
const interruptedCheckoutSchema = lazyObject(() => ({
  id: z.string(),
  /** The interrupted operation: "Merge the work of S1". */
  what: z.string(),
  path: z.string(),
  startedAt: z.number(),
  /** Git is still working on it: wait. */
  running: z.boolean(),
  /**
   * How many of the affected files are in the new state, in the old state, incomplete, or hold changes of
   * the operator.
   */
  counts: z.object({ after: z.number(), before: z.number(), half: z.number(), yours: z.number() }),
  /** The first of these files. */
  files: z.array(z.object({ path: z.string(), state: z.enum(['after', 'before', 'half', 'yours']) })),
  /** HEAD is at the new commit. */
  headMoved: z.boolean(),
  /** A leftover lock keeps git from working in the checkout. */
  locked: z.boolean(),
  /** The whole state as a sentence. */
  text: z.string(),
}));
export type InterruptedCheckout = z.infer<typeof interruptedCheckoutSchema>;

export const checkoutProcedures = {
  'checkout.interrupted': {
    input: z.object({}),
    output: z.lazy(() => z.array(interruptedCheckoutSchema)),
  },
  /** Brings the whole checkout to the new state, or back to the old one. */
  'checkout.settle': {
    input: lazyObject(() => ({ id: z.string(), how: z.enum(['finish', 'roll_back']) })),
    output: lazyObject(() => ({ text: z.string() })),
  },
} as const;
