import { amount } from '@contract/bounds';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';

export const usageSchema = lazyObject(() => ({
  input_tokens: amount().nullable(),
  /** Part of `input_tokens`, if the agent reports it. */
  cached_input_tokens: amount().optional(),
  output_tokens: amount().nullable(),
  total_tokens: amount().nullable(),
  cost_usd: amount().nullable(),
}));
export type Usage = z.infer<typeof usageSchema>;

/** The start of a conversation, before its first turn. Only for agents whose conversation Muster keeps. */
export const openingSchema = lazyObject(() => ({
  system: z.string(),
  /** The agent's own first message. */
  assistant: z.string().nullable(),
}));
export type Opening = z.infer<typeof openingSchema>;

/** What can be chosen for a session, as the agent names it. */
export const sessionChoicesSchema = lazyObject(() => ({
  modes: z.array(z.string()),
  models: z.array(z.string()),
}));
export type SessionChoices = z.infer<typeof sessionChoicesSchema>;

export const capabilitiesSchema = lazyObject(() => ({
  /** The agent can load an earlier session in a new process. */
  resume: z.boolean(),
  cancel: z.boolean(),
  permissions: z.boolean(),
  images: z.boolean(),
  embeddedFiles: z.boolean(),
}));
export type Capabilities = z.infer<typeof capabilitiesSchema>;

/**
 * The observed state of an agent in a turn, from several signs: it works; it waits for the operator at its
 * terminal; or it is silent, `unknown` at first and `stalled` once nothing observable moves.
 */
export const observedStateSchema = z.enum(['working', 'waits', 'unknown', 'stalled']);
export type ObservedState = z.infer<typeof observedStateSchema>;

export const attachmentSchema = lazyObject(() => ({
  path: z.string(),
  name: z.string(),
  mime: z.string(),
  bytes: amount(),
}));
export type Attachment = z.infer<typeof attachmentSchema>;

/**
 * How a turn ended. `cancelled` is an outcome of its own, not an error. `limit` waits for a provider's limit
 * to end, `login` for the operator to log the agent in.
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

const toolCallSchema = lazyObject(() => ({
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
}));
export type ToolCall = z.infer<typeof toolCallSchema>;

/** One item that an agent streamed in a turn, kept in the session's log file. */
export const transcriptItemSchema = z.lazy(() =>
  z.discriminatedUnion('type', [
    /** `message`: the agent's message id, if it distinguishes messages. */
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
  at: amount(),
  turnId: amount(),
  item: transcriptItemSchema,
});
export type TranscriptLine = z.infer<typeof transcriptLineSchema>;
