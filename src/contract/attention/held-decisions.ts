import { z } from 'zod';

const key = z.string().min(1).max(500);

/**
 * A decision waits in the core while it can be undone: a window that dies takes no decision with it. The core carries it
 * out a little after its time, also at its next start, where the window has not asked for that before.
 */
export const heldDecisionSchema = z.lazy(() =>
  z.object({
    /** The item that is decided. */
    key,
    /** What was chosen, and for what. */
    word: z.string(),
    title: z.string(),
    /** The procedure that carries it out; its input is checked when it is called. */
    procedure: z.string(),
    input: z.unknown(),
    /** When it is carried out by itself. */
    sendsAt: z.number(),
  }),
);
export type HeldDecision = z.infer<typeof heldDecisionSchema>;

const done = z.object({});

export const decisionProcedures = {
  'decision.hold': {
    input: z.lazy(() =>
      heldDecisionSchema
        .unwrap()
        .omit({ sendsAt: true })
        .extend({ undoMs: z.number().int().min(0).max(60_000) }),
    ),
    output: done,
  },
  /** Undone is false where it was carried out already, or was never held. */
  'decision.undo': { input: z.object({ key }), output: z.object({ undone: z.boolean() }) },
  /** Carries it out now; the error is that of its procedure. */
  'decision.send': { input: z.object({ key }), output: done },
} as const;
