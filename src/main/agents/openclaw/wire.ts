import { z } from 'zod';

/** The version of the Gateway protocol that this client speaks, tested with openclaw 2026.9.6. */
export const PROTOCOL = 4;

const errorShapeSchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  details: z.unknown().optional(),
  retryable: z.boolean().optional(),
  retryAfterMs: z.number().optional(),
});
export type ErrorShape = z.infer<typeof errorShapeSchema>;

/** Every frame that a gateway sends. The protocol has no requests to clients. */
export const frameSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('res'),
    id: z.string(),
    ok: z.boolean(),
    payload: z.unknown().optional(),
    error: errorShapeSchema.optional(),
  }),
  z.object({ type: z.literal('event'), event: z.string(), payload: z.unknown().optional() }),
]);
export type Frame = z.infer<typeof frameSchema>;

export const challengeSchema = z.looseObject({
  nonce: z.string().min(1),
  ts: z.number().int().nonnegative(),
});
export type Challenge = z.infer<typeof challengeSchema>;

export const helloSchema = z.looseObject({
  type: z.literal('hello-ok'),
  protocol: z.number().int(),
  server: z.looseObject({ version: z.string(), bootId: z.string().optional() }),
  auth: z.looseObject({ scopes: z.array(z.string()).default([]) }),
  snapshot: z.looseObject({
    sessionDefaults: z
      .looseObject({ defaultAgentId: z.string().optional(), mainSessionKey: z.string().optional() })
      .optional(),
  }),
  policy: z.looseObject({
    tickIntervalMs: z.number().positive().optional(),
    maxPayload: z.number().optional(),
  }),
});
export type Hello = z.infer<typeof helloSchema>;

/** The run of an event, so that the many events of other sessions cost only this check. */
export const runEventSchema = z.looseObject({ runId: z.string() });

const contentSchema = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
]);

/** A row of the gateway's transcript. */
const messageSchema = z.looseObject({
  role: z.string(),
  content: contentSchema.optional(),
  stopReason: z.string().nullish(),
  errorMessage: z.string().optional(),
  idempotencyKey: z.string().optional(),
  usage: z.unknown().optional(),
  __openclaw: z.looseObject({ runId: z.string().optional() }).optional(),
});
export type Message = z.infer<typeof messageSchema>;

const errorDetailSchema = z.looseObject({ failoverReason: z.string().optional() });

export const chatEventSchema = z.looseObject({
  runId: z.string(),
  state: z.string(),
  errorMessage: z.string().optional(),
  errorKind: z.string().optional(),
  errorDetail: errorDetailSchema.optional(),
});

export const agentEventSchema = z.looseObject({
  runId: z.string(),
  seq: z.number().int().nonnegative(),
  stream: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type AgentEvent = z.infer<typeof agentEventSchema>;

/** The two text streams: cumulative, with the new part included. */
export const textDataSchema = z.looseObject({
  text: z.string().optional(),
  delta: z.string().optional(),
  itemId: z.string().optional(),
});

export const toolDataSchema = z.looseObject({
  phase: z.enum(['start', 'update', 'result']),
  name: z.string(),
  toolCallId: z.string(),
  args: z.json().optional(),
  isError: z.boolean().optional(),
  partialResult: z.unknown().optional(),
  result: z.unknown().optional(),
});

export const itemDataSchema = z.looseObject({
  kind: z.literal('preamble'),
  itemId: z.string(),
  progressText: z.string(),
});

export const runStatusSchema = z.looseObject({
  phase: z.literal('retrying'),
  message: z.string(),
  reason: z.string().optional(),
  delayMs: z.number().optional(),
});

export const lifecycleSchema = z.looseObject({
  phase: z.string(),
  errorObservation: errorDetailSchema.optional(),
});

const count = z.number().nonnegative().optional();

export const usageSchema = z.looseObject({
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
  total: count,
  totalTokens: count,
  cost: z.looseObject({ total: count }).optional(),
});
export type WireUsage = z.infer<typeof usageSchema>;

/** The first response to `agent`, and the second one with the same id, which ends the run. */
export const agentAnswerSchema = z.looseObject({
  runId: z.string(),
  status: z.string(),
  sessionKey: z.string().optional(),
  summary: z.string().optional(),
  stopReason: z.string().optional(),
  result: z
    .looseObject({
      payloads: z.array(z.looseObject({ text: z.string().nullish() })).optional(),
      meta: z
        .looseObject({
          stopReason: z.string().optional(),
          aborted: z.boolean().optional(),
          finalAssistantVisibleText: z.string().optional(),
          agentMeta: z
            .looseObject({ usage: usageSchema.optional(), costUsd: z.number().optional() })
            .optional(),
        })
        .optional(),
    })
    .optional(),
});
export type AgentAnswer = z.infer<typeof agentAnswerSchema>;

/** `timeout` and `pending` without an end only mean that the wait is over. */
export const waitSchema = z.looseObject({
  runId: z.string(),
  status: z.enum(['ok', 'error', 'timeout', 'pending']),
  endedAt: z.number().optional(),
  stopReason: z.string().optional(),
  error: z.string().optional(),
  terminalReply: z.looseObject({ text: z.string().optional() }).optional(),
});
export type Wait = z.infer<typeof waitSchema>;

export const historySchema = z.looseObject({
  messages: z.array(messageSchema).default([]),
  inFlightRun: z.looseObject({ runId: z.string(), text: z.string().optional() }).nullish(),
});
export type History = z.infer<typeof historySchema>;

export const describeSchema = z.looseObject({
  session: z.looseObject({ key: z.string() }).nullable(),
});

export const abortSchema = z.looseObject({ aborted: z.boolean().optional() });
