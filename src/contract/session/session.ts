import { z } from 'zod';

export const usageSchema = z.lazy(() =>
  z.object({
    input_tokens: z.number().nullable(),
    /** Part of `input_tokens`, where the agent reports it. */
    cached_input_tokens: z.number().optional(),
    output_tokens: z.number().nullable(),
    total_tokens: z.number().nullable(),
    cost_usd: z.number().nullable(),
  }),
);
export type Usage = z.infer<typeof usageSchema>;

/** What a conversation begins with, before its first turn. Only an agent whose conversation Muster keeps takes one. */
export const openingSchema = z.lazy(() =>
  z.object({
    system: z.string(),
    /** The agent's own first message. */
    assistant: z.string().nullable(),
  }),
);
export type Opening = z.infer<typeof openingSchema>;

/** What an agent says can be chosen for a session, by its own names. */
export const sessionChoicesSchema = z.lazy(() =>
  z.object({ modes: z.array(z.string()), models: z.array(z.string()) }),
);
export type SessionChoices = z.infer<typeof sessionChoicesSchema>;

export const capabilitiesSchema = z.lazy(() =>
  z.object({
    /** The agent can load an earlier session in a new process. */
    resume: z.boolean(),
    cancel: z.boolean(),
    permissions: z.boolean(),
    images: z.boolean(),
    embeddedFiles: z.boolean(),
  }),
);
export type Capabilities = z.infer<typeof capabilitiesSchema>;

/**
 * How an agent in a turn was seen to be, from several signs: it works, it waits for the operator at its terminal, or no
 * sign of it came for a while, which is `unknown` at first and `stalled` once everything that can be seen is at rest.
 */
export const observedStateSchema = z.enum(['working', 'waits', 'unknown', 'stalled']);
export type ObservedState = z.infer<typeof observedStateSchema>;

export const attachmentSchema = z.lazy(() =>
  z.object({
    path: z.string(),
    name: z.string(),
    mime: z.string(),
    bytes: z.number(),
  }),
);
export type Attachment = z.infer<typeof attachmentSchema>;

/**
 * How a turn ended. `cancelled` is an outcome of its own, never an error. `limit` and `login` wait: for a provider's
 * limit to end, for the operator to log the agent in.
 */
export const turnOutcomeSchema = z.enum([
  'completed',
  'failed',
  'cancelled',
  'limit',
  'login',
  'refused',
  'max_requests',
]);
export type TurnOutcome = z.infer<typeof turnOutcomeSchema>;

export const toolCallSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    title: z.string(),
    kind: z.string(),
    status: z.enum(['pending', 'in_progress', 'completed', 'failed']),
    input: z.json().optional(),
    output: z.string().optional(),
    diffs: z
      .array(z.object({ path: z.string(), oldText: z.string().nullable(), newText: z.string() }))
      .optional(),
    locations: z.array(z.string()).optional(),
  }),
);
export type ToolCall = z.infer<typeof toolCallSchema>;

/** One thing that an agent said or did in a turn, as it is streamed and kept in the session's log file. */
export const transcriptItemSchema = z.lazy(() =>
  z.discriminatedUnion('type', [
    /** `message`: the agent's own id of the message, where it tells messages apart. */
    z.object({ type: z.literal('text'), text: z.string(), message: z.string().optional() }),
    z.object({ type: z.literal('thought'), text: z.string() }),
    z.object({ type: z.literal('tool'), call: toolCallSchema }),
    z.object({
      type: z.literal('plan'),
      entries: z.array(z.object({ content: z.string(), status: z.string(), priority: z.string() })),
    }),
    z.object({ type: z.literal('usage'), usage: usageSchema }),
    z.object({ type: z.literal('notice'), text: z.string() }),
  ]),
);
export type TranscriptItem = z.infer<typeof transcriptItemSchema>;

/** A line of a session's JSON Lines log: an item with its turn and time. */
export const transcriptLineSchema = z.object({
  at: z.number(),
  turnId: z.number(),
  item: transcriptItemSchema,
});
export type TranscriptLine = z.infer<typeof transcriptLineSchema>;
