import { z } from 'zod';

/**
 * The agent's messages, as far as Muster uses them. The SDK validates an agent's requests but casts its
 * replies, and throws at unknown kinds of updates; so both are parsed here, and unknown parts are ignored if
 * nothing depends on them.
 */
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null);
const listOf = <T extends z.ZodType>(schema: T) =>
  z.array(schema.nullable().catch(null)).transform((items) => items.filter((item) => item !== null));

const contentBlockSchema = z
  .object({
    type: z.string(),
    text: z.string().optional(),
    uri: z.string().optional(),
    resource: z.object({ uri: z.string().optional(), text: z.string().optional() }).optional(),
  })
  .transform((block) => {
    if (block.type === 'text') return block.text ?? '';
    if (block.type === 'resource_link') return block.uri ?? '';
    if (block.type === 'resource') return block.resource?.text ?? block.resource?.uri ?? '';
    return `[${block.type}]`;
  });

const toolContentSchema = z.union([
  z.object({ type: z.literal('content'), content: contentBlockSchema }),
  z.object({
    type: z.literal('diff'),
    path: z.string(),
    oldText: optional(z.string()),
    newText: z.string(),
  }),
  z.object({ type: z.literal('terminal'), terminalId: z.string() }),
]);
export type ToolContent = z.infer<typeof toolContentSchema>;

/** Agents that run commands in their own terminals report the output in an extension (codex-acp, Zed). */
const printedSchema = z.object({ data: z.string() });

/** A tool call or a change of one: missing fields keep their values. */
export const toolUpdateSchema = z.object({
  toolCallId: z.string(),
  title: optional(z.string()),
  name: optional(z.string()),
  kind: optional(z.string()),
  status: optional(z.enum(['pending', 'in_progress', 'completed', 'failed'])),
  content: optional(listOf(toolContentSchema)),
  locations: optional(listOf(z.object({ path: z.string() }))),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  _meta: optional(
    z.object({
      /** Qwen Code reports a tool's name only here. */
      toolName: optional(z.string()),
      terminal_output: optional(printedSchema),
      terminal_output_delta: optional(printedSchema),
      terminal_exit: optional(z.object({ exit_code: optional(z.number()) })),
    }),
  ),
});
export type ToolUpdate = z.infer<typeof toolUpdateSchema>;

const tokens = z.number().nullish().catch(null);
const usageSchema = z.object({ totalTokens: tokens, inputTokens: tokens, outputTokens: tokens });
export type ReportedUsage = z.infer<typeof usageSchema>;

const chunk = { content: contentBlockSchema, messageId: optional(z.string()) };
const costSchema = z.object({ amount: z.number(), currency: z.string() });

export const sessionUpdateSchema = z.discriminatedUnion('sessionUpdate', [
  z.object({
    sessionUpdate: z.literal('agent_message_chunk'),
    ...chunk,
    /** Qwen Code reports each request's tokens here, with an empty text. */
    _meta: optional(z.object({ usage: optional(usageSchema) })),
  }),
  z.object({ sessionUpdate: z.literal('agent_thought_chunk'), ...chunk }),
  toolUpdateSchema.extend({ sessionUpdate: z.literal('tool_call') }),
  toolUpdateSchema.extend({ sessionUpdate: z.literal('tool_call_update') }),
  z.object({
    sessionUpdate: z.literal('plan'),
    entries: listOf(
      z.object({
        content: z.string(),
        status: z.string().catch('pending'),
        priority: z.string().catch('medium'),
      }),
    ),
  }),
  z.object({
    sessionUpdate: z.literal('usage_update'),
    /** Tokens in the agent's context now. */
    used: optional(z.number()),
    cost: optional(costSchema),
  }),
  z.object({
    sessionUpdate: z.literal('session_info_update'),
    /** Codex ends a failed turn with `end_turn`; only this distinguishes it from a successful one. */
    _meta: optional(
      z.object({ codex: optional(z.object({ threadStatus: optional(z.object({ type: z.string() })) })) }),
    ),
  }),
  z.object({
    sessionUpdate: z.literal('notice'),
    title: z.string(),
    description: optional(z.string()),
  }),
]);
export type SessionUpdate = z.infer<typeof sessionUpdateSchema>;

/** The envelope of `session/update`. */
export const updateParamsSchema = z.object({
  sessionId: z.string(),
  update: z.looseObject({ sessionUpdate: z.string() }),
});

export const knownUpdates: ReadonlySet<string> = new Set(
  sessionUpdateSchema.options.map((option) => option.shape.sessionUpdate.value),
);

export const initializeReplySchema = z.object({
  protocolVersion: z.number(),
  agentInfo: optional(z.object({ name: z.string(), title: optional(z.string()), version: z.string() })),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().nullish(),
      promptCapabilities: z
        .object({ image: z.boolean().nullish(), embeddedContext: z.boolean().nullish() })
        .nullish(),
      mcpCapabilities: z.object({ http: z.boolean().nullish() }).nullish(),
      sessionCapabilities: z
        .object({
          resume: z.looseObject({}).nullish(),
          additionalDirectories: z.looseObject({}).nullish(),
        })
        .nullish(),
      _meta: optional(z.object({ muster: optional(z.object({ goesOnAfterRefusal: z.boolean() })) })),
    })
    .nullish()
    .transform((value) => value ?? {}),
  authMethods: listOf(
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.string().optional(),
      description: optional(z.string()),
      args: z.array(z.string()).optional(),
    }),
  )
    .nullish()
    .transform((value) => value ?? []),
});
export type InitializeReply = z.infer<typeof initializeReplySchema>;

const optionValueSchema = z.object({ value: z.string() });
const configOptionSchema = z.object({
  id: z.string(),
  type: z.string(),
  category: optional(z.string()),
  options: z
    .array(z.union([optionValueSchema, z.object({ options: z.array(optionValueSchema) })]))
    .optional()
    .transform((list) =>
      (list ?? []).flatMap((one) => ('value' in one ? [one.value] : one.options.map((o) => o.value))),
    ),
});

/** Common fields of session/new, session/load and session/resume. */
const sessionShape = {
  modes: optional(
    z.object({ currentModeId: z.string(), availableModes: z.array(z.object({ id: z.string() })) }),
  ),
  configOptions: optional(listOf(configOptionSchema)),
  /** No longer in the protocol, but sent by agents of earlier versions. */
  models: optional(
    z.object({ currentModelId: z.string(), availableModels: z.array(z.object({ modelId: z.string() })) }),
  ),
};
export const newSessionReplySchema = z.object({ sessionId: z.string().min(1), ...sessionShape });
export const loadSessionReplySchema = z
  .object(sessionShape)
  .nullish()
  .transform((value) => value ?? { modes: null, configOptions: null, models: null });
export type SessionSettings = z.infer<z.ZodObject<typeof sessionShape>>;

export const promptReplySchema = z.object({
  stopReason: z.string(),
  /** In the protocol's unstable part. */
  usage: optional(usageSchema),
  _meta: optional(
    z.looseObject({
      quota: optional(z.object({ token_count: z.object({ input_tokens: tokens, output_tokens: tokens }) })),
    }),
  ),
});
export type PromptReply = z.infer<typeof promptReplySchema>;

export const anyReplySchema = z.unknown();
