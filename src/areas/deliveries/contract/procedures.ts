import { whole } from '@contract/bounds';
import { runIdSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import { answerGivenSchema, answerInputSchema } from './answer';
import { deliveryTargetSchema } from './target';

/**
 * `failed`: the last try failed, the next is at `nextAt`. `given_up`: no more tries, unless the operator asks
 * for one. `obsolete`: the question was answered or withdrawn before it was sent.
 */
const deliveryStateSchema = z.enum(['queued', 'sending', 'failed', 'delivered', 'given_up', 'obsolete']);
export type DeliveryState = z.infer<typeof deliveryStateSchema>;

/** What a delivery is about. `wait`: a loop or team waits for a provider's limit and continues by itself. */
export const deliverySubjectSchema = z.enum(['update', 'question', 'wait', 'end']);
export type DeliverySubject = z.infer<typeof deliverySubjectSchema>;

/** One update or announcement on its way to one target. */
export const deliveryRowSchema = lazyObject(() => ({
  id: z.number().int(),
  subject: deliverySubjectSchema,
  /** The event that it reports. */
  eventId: z.number().int(),
  runId: runIdSchema,
  runName: z.string(),
  target: z.string(),
  state: deliveryStateSchema,
  attempts: z.number().int(),
  queuedAt: z.number(),
  /** When the next try is due; not in the future if it only waits for its turn. */
  nextAt: z.number(),
  triedAt: z.number().nullable(),
  closedAt: z.number().nullable(),
  /** Why the last try failed. */
  error: z.string().nullable(),
  /** The target's response. */
  receipt: z.string().nullable(),
  /** Idempotency key: the same for every try, so the target can recognise a repeated delivery. */
  key: z.string(),
}));
export type DeliveryRow = z.infer<typeof deliveryRowSchema>;

/** The state of a target. */
const targetStateSchema = lazyObject(() => ({
  target: z.string(),
  /** Deliveries neither delivered nor given up. */
  open: z.number().int(),
  givenUp: z.number().int(),
  lastDeliveredAt: z.number().nullable(),
  /**
   * The last try's error, and since when the oldest tried delivery has been waiting; null if deliveries
   * succeed.
   */
  trouble: z
    .object({ error: z.string(), since: z.number(), tries: z.number(), nextAt: z.number() })
    .nullable(),
}));
export type TargetState = z.infer<typeof targetStateSchema>;

export const deliveryProcedures = {
  'delivery.targets': { input: z.object({}), output: z.lazy(() => z.array(targetStateSchema)) },
  /** Newest first: of one update, one target, or all. */
  'delivery.list': {
    input: lazyObject(() => ({
      eventId: whole().optional(),
      target: z.string().optional(),
      state: deliveryStateSchema.optional(),
      before: whole().optional(),
      limit: whole().min(1).max(500).default(100),
    })),
    output: lazyObject(() => ({ rows: z.array(deliveryRowSchema), more: z.boolean() })),
  },
  /** Tries failed or given-up deliveries now: one, or all of a target. */
  'delivery.retry': {
    input: z.lazy(() => z.union([z.strictObject({ id: whole() }), z.strictObject({ target: z.string() })])),
    output: lazyObject(() => ({ count: z.number().int() })),
  },
  /** Sends a five-line test message to the given target, saved or not. */
  'delivery.test': {
    input: lazyObject(() => ({ target: deliveryTargetSchema })),
    output: lazyObject(() => ({ receipt: z.string() })),
  },
  /** Answers a question with the token from its delivery; the token is the authorisation. */
  'delivery.answer': { input: answerInputSchema, output: answerGivenSchema },
} as const;
