import { z } from 'zod';
import { runIdSchema } from '../ids';
import { answerGivenSchema, answerInputSchema } from './answer';
import { deliveryTargetSchema } from './target';

/**
 * `failed`: the last try did, and another one is due at `nextAt`. `given_up`: no further try, unless the operator
 * asks for one. `obsolete`: a question that was answered or withdrawn before it could be sent.
 */
export const deliveryStateSchema = z.enum([
  'queued',
  'sending',
  'failed',
  'delivered',
  'given_up',
  'obsolete',
]);
export type DeliveryState = z.infer<typeof deliveryStateSchema>;

/** What a delivery is about. `wait`: a loop or team waits for a provider's limit and continues by itself. */
export const deliverySubjectSchema = z.enum(['update', 'question', 'wait', 'end']);
export type DeliverySubject = z.infer<typeof deliverySubjectSchema>;

/** One update, question or end on its way to one target. */
export const deliveryRowSchema = z.lazy(() =>
  z.object({
    id: z.number().int(),
    subject: deliverySubjectSchema,
    /** The event that it tells of. */
    eventId: z.number().int(),
    runId: runIdSchema,
    runName: z.string(),
    target: z.string(),
    state: deliveryStateSchema,
    attempts: z.number().int(),
    queuedAt: z.number(),
    /** When it is tried next; past or now where it waits for its turn only. */
    nextAt: z.number(),
    triedAt: z.number().nullable(),
    closedAt: z.number().nullable(),
    /** Why the last try failed. */
    error: z.string().nullable(),
    /** What the target answered. */
    receipt: z.string().nullable(),
    /** The same for every try: by it a target knows an update that it has had. */
    key: z.string(),
  }),
);
export type DeliveryRow = z.infer<typeof deliveryRowSchema>;

/** How a target stands. */
export const targetStateSchema = z.lazy(() =>
  z.object({
    target: z.string(),
    /** On their way: not delivered and not given up. */
    open: z.number().int(),
    givenUp: z.number().int(),
    lastDeliveredAt: z.number().nullable(),
    /** Why the last try failed, and since when the oldest that was tried waits; null where nothing is in the way. */
    trouble: z
      .object({ error: z.string(), since: z.number(), tries: z.number(), nextAt: z.number() })
      .nullable(),
  }),
);
export type TargetState = z.infer<typeof targetStateSchema>;

export const deliveryProcedures = {
  'delivery.targets': { input: z.object({}), output: z.lazy(() => z.array(targetStateSchema)) },
  /** Newest first: of one update, of one target, or all. */
  'delivery.list': {
    input: z.lazy(() =>
      z.object({
        eventId: z.number().int().optional(),
        target: z.string().optional(),
        state: deliveryStateSchema.optional(),
        before: z.number().int().optional(),
        limit: z.number().int().min(1).max(500).default(100),
      }),
    ),
    output: z.lazy(() => z.object({ rows: z.array(deliveryRowSchema), more: z.boolean() })),
  },
  /** Tries now what waits for its next try or was given up: one delivery, or all of a target. */
  'delivery.retry': {
    input: z.lazy(() =>
      z.union([z.strictObject({ id: z.number().int() }), z.strictObject({ target: z.string() })]),
    ),
    output: z.lazy(() => z.object({ count: z.number().int() })),
  },
  /** Sends five lines to a target as it is described here, saved or not. */
  'delivery.test': {
    input: z.lazy(() => z.object({ target: deliveryTargetSchema })),
    output: z.lazy(() => z.object({ receipt: z.string() })),
  },
  /** Answers a question with the token that its delivery carried; the token is the authorisation. */
  'delivery.answer': { input: answerInputSchema, output: answerGivenSchema },
} as const;
