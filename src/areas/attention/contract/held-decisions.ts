import { amount, whole } from '@contract/bounds';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';

const key = z.string().min(1).max(500);

/**
 * A decision is held in the core while it can be undone, so a window that dies loses none. The core carries
 * it out shortly after its undo time, also at its next start, unless the window asked for that earlier.
 */
export const heldDecisionSchema = lazyObject(() => ({
  /** The chosen answer, and what it answers. */
  key,
  /** What was chosen, and for what. */
  word: z.string(),
  title: z.string(),
  /** When the core carries it out by itself. */
  procedure: z.string(),
  input: z.unknown(),
  /** When it is carried out by itself. */
  sendsAt: amount(),
}));
export type HeldDecision = z.infer<typeof heldDecisionSchema>;

const done = z.object({});

export const decisionProcedures = {
  'decision.hold': {
    input: z.lazy(() =>
      heldDecisionSchema
        .unwrap()
        .omit({ sendsAt: true })
        .extend({ undoMs: whole().min(0).max(60_000) }),
    ),
    output: done,
  },
  /** `undone` is false if the decision was already carried out, or was never held. */
  'decision.undo': { input: z.object({ key }), output: z.object({ undone: z.boolean() }) },
  /** Carries the decision out now. Errors are those of its procedure. */
  'decision.send': { input: z.object({ key }), output: done },
} as const;
