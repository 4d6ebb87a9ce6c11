import { amount, minutesSchema, secondsSchema, whole } from '@contract/bounds';
import { lazyObject, lazyStrictObject } from '@contract/lazy-object';
import { z } from 'zod';

export const profileIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'a profile id has small letters, digits, . _ and - only');

const permissions = z.enum(['ask', 'allow_edits', 'allow_all', 'deny']);

const common = () => ({
  id: profileIdSchema,
  name: z.string().min(1).max(80),
  model: z.string().optional(),
  mode: z.string().optional(),
  /** Plain values; never secrets (see `secrets`). */
  env: z.record(z.string(), z.string()).default({}),
  /**
   * Names of environment variables that are filled from the keychain, or, without a window, from Muster's own
   * environment.
   */
  secrets: z.array(z.string()).default([]),
  /** `ask`: each permission request becomes a gate. */
  permissions: permissions.default('ask'),
  /**
   * The agent must not change files: it starts in a mode that forbids it, regardless of `mode`, and asks
   * before anything else. If the agent itself enforces this, interrupted turns are resent without a question.
   */
  read_only: z.boolean().default(false),
  max_sessions: whole().min(1).max(64).default(4),
  /** Minutes without a sign of life after which the operator is asked about a turn; null: 10. */
  silence_minutes: amount().positive().nullable().default(null),
});

const mcpServerSchema = lazyStrictObject(() => ({
  name: z.string(),
  command: z.string(),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
}));

/** Presets for agents of kind `cli`; `generic` is any other program with a prompt. */
export const cliPresetIdSchema = z.enum([
  'claude',
  'codex',
  'opencode',
  'gemini',
  'qwen',
  'aider',
  'generic',
]);
export type CliPresetId = z.infer<typeof cliPresetIdSchema>;
/** Codex without a terminal: one process per turn, which reports its events as JSON (`codex exec --json`). */
export const CODEX_EXEC = 'codex-exec';

const httpGatewaySchema = lazyStrictObject(() => ({
  kind: z.literal('gateway'),
  ...common(),
  api: z.enum(['openai', 'anthropic']),
  base_url: z.url(),
  system_prompt: z.string().optional(),
  /** The environment variable or keychain entry with the API key; absent for a local endpoint. */
  api_key_secret: z.string().optional(),
  max_output_tokens: whole().positive().optional(),
  /** Dollars per million tokens. Without them no cost is reported. */
  prices: z.strictObject({ input: amount().nonnegative(), output: amount().nonnegative() }).optional(),
}));
export type HttpGatewayProfile = z.infer<typeof httpGatewaySchema>;

/** An OpenClaw Gateway. Its agent has its own tools, model and memory, set up in the gateway. */
const openclawGatewaySchema = lazyStrictObject(() => ({
  kind: z.literal('gateway'),
  ...common(),
  api: z.literal('openclaw'),
  base_url: z.url({ protocol: /^wss?$/, error: 'a gateway has an address with ws:// or wss://' }),
  /** The agent at the gateway; default: the gateway's own default. */
  agent_id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'an agent id has small letters, digits, _ and - only')
    .optional(),
  /**
   * `main`: the agent's main session, shared by all sessions of this profile. Otherwise the prefix of the
   * session keys.
   */
  session_key: z
    .string()
    .regex(
      /^(?!(agent|acp|cron|subagent)$)[a-z0-9][a-z0-9_-]{0,63}$/,
      'small letters, digits, _ and -; no word that OpenClaw keeps',
    )
    .optional(),
  /** Sent with each prompt, in addition to the agent's own system prompt. */
  system_prompt: z.string().optional(),
  /** The environment variable or keychain entry with the gateway's token. */
  api_key_secret: z.string().optional(),
  /** The same for an Ed25519 key (PEM), which identifies Muster at a paired gateway on another machine. */
  device_key_secret: z.string().optional(),
}));
export type OpenclawProfile = z.infer<typeof openclawGatewaySchema>;

const program = () => ({
  kind: z.literal('cli'),
  ...common(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  /**
   * Text that marks the end of a turn when it appears on screen; on a line of its own if the prompt contains
   * it.
   */
  sentinel: z.string().min(1).optional(),
  /** Seconds without output and work after which a turn counts as done, if nothing better marks its end. */
  idle_seconds: amount().positive().optional(),
  /** Arguments that resume an earlier conversation; `{session}` is replaced by the agent's session id. */
  resume_args: z.array(z.string()).optional(),
  /** Marks the session's folder as trusted, so that the agent does not ask at its start. */
  trust_workspace: z.boolean().default(false),
  /** The command with which the operator logs in, shown when the agent is not logged in. */
  login_command: z.string().optional(),
});

const terminalSchema = lazyStrictObject(() => ({
  ...program(),
  /**
   * Which known agent this is: how it reports the end of a turn, resumes and is interrupted. Default: from
   * the command.
   */
  preset: cliPresetIdSchema.optional(),
}));

/**
 * Codex exec cannot ask, so it defaults to the policy that its own sandbox enforces: write in the workspace.
 */
const codexExecSchema = lazyStrictObject(() => ({
  ...program(),
  preset: z.literal(CODEX_EXEC),
  permissions: permissions.default('allow_edits'),
}));

/** How to start an agent. */
export const agentProfileSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('acp'),
      ...common(),
      command: z.string().min(1),
      args: z.array(z.string()).default([]),
      mcp_servers: z.array(mcpServerSchema).default([]),
      /** The command with which the operator logs in, shown when the agent is not logged in. */
      login_command: z.string().optional(),
    }),
    z.discriminatedUnion('api', [httpGatewaySchema, openclawGatewaySchema]),
    z.strictObject({
      kind: z.literal('scripted'),
      ...common(),
      /**
       * A YAML file of scripted replies: an absolute path, a path in the project, or the name of a built-in
       * script.
       */
      script: z.string().min(1),
    }),
    z.discriminatedUnion('preset', [terminalSchema, codexExecSchema], {
      error: (issue) =>
        issue.code === 'invalid_union' ? 'no agent in a terminal is known as this' : undefined,
    }),
  ]),
);

/**
 * A profile being saved now, or from a project's file. Its durations are bounded; those of stored profiles
 * are not.
 */
export const newAgentProfileSchema = z.lazy(() =>
  agentProfileSchema.unwrap().superRefine((profile, { addIssue }) => {
    const durations = {
      silence_minutes: minutesSchema.nullable().safeParse(profile.silence_minutes),
      idle_seconds: secondsSchema
        .optional()
        .safeParse('idle_seconds' in profile ? profile.idle_seconds : undefined),
    };
    for (const [name, { error }] of Object.entries(durations))
      for (const { message } of error?.issues ?? []) addIssue({ code: 'custom', path: [name], message });
  }),
);

export type AgentProfile = z.infer<typeof agentProfileSchema>;
export type AgentProfileOf<K extends AgentProfile['kind']> = Extract<AgentProfile, { kind: K }>;

/** `.muster/agents.yaml` of a project: profiles that travel with it. */
export const projectAgentsSchema = lazyStrictObject(() => ({ profiles: z.array(newAgentProfileSchema) }));

/** An agent found on PATH, or not. */
export const detectedAgentSchema = lazyObject(() => ({
  id: z.string(),
  name: z.string(),
  found: z.boolean(),
  path: z.string().nullable(),
  version: z.string().nullable(),
  install: z.string(),
  profile: agentProfileSchema,
}));
export type DetectedAgent = z.infer<typeof detectedAgentSchema>;
