import { z } from 'zod';
import { minutesSchema, secondsSchema } from '../bounds';

export const profileIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'a profile id has small letters, digits, . _ and - only');

const permissions = z.enum(['ask', 'allow_edits', 'allow_all', 'deny']);

const common = () => ({
  id: profileIdSchema,
  name: z.string().min(1).max(80),
  model: z.string().optional(),
  mode: z.string().optional(),
  /** Plain values. A secret never is here: see `secrets`. */
  env: z.record(z.string(), z.string()).default({}),
  /** Names of environment variables that are filled from the keychain, or without a window from Muster's own environment. */
  secrets: z.array(z.string()).default([]),
  /** `ask`: each request of the agent becomes a gate. */
  permissions: permissions.default('ask'),
  /**
   * It may not change files: it starts in a mode that forbids it, whatever `mode` says, and asks before it does anything
   * else. Where the agent itself enforces this, interrupted turns are sent again without a question.
   */
  read_only: z.boolean().default(false),
  max_sessions: z.number().int().min(1).max(64).default(4),
  /** Minutes without any sign of life after which a turn ends as failed; null waits forever. */
  silence_minutes: z.number().positive().nullable().default(null),
});

export const mcpServerSchema = z.lazy(() =>
  z.strictObject({
    name: z.string(),
    command: z.string(),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({}),
  }),
);

/** Agents of kind `cli` whose ways are known; `generic` is any other program with a prompt. */
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
/** Codex without a terminal: one process a turn, which tells its events as JSON (`codex exec --json`). */
export const CODEX_EXEC = 'codex-exec';

const httpGatewaySchema = z.lazy(() =>
  z.strictObject({
    kind: z.literal('gateway'),
    ...common(),
    api: z.enum(['openai', 'anthropic']),
    base_url: z.url(),
    system_prompt: z.string().optional(),
    /** The environment variable or keychain entry that holds the key; none for a local endpoint. */
    api_key_secret: z.string().optional(),
    max_output_tokens: z.number().int().positive().optional(),
    /** Dollars for a million tokens. Without them no cost is reported. */
    prices: z.strictObject({ input: z.number().nonnegative(), output: z.number().nonnegative() }).optional(),
  }),
);
export type HttpGatewayProfile = z.infer<typeof httpGatewaySchema>;

/** An OpenClaw Gateway: its agent has tools, a model and a memory of its own, which the gateway's settings choose. */
const openclawGatewaySchema = z.lazy(() =>
  z.strictObject({
    kind: z.literal('gateway'),
    ...common(),
    api: z.literal('openclaw'),
    base_url: z.url({ protocol: /^wss?$/, error: 'a gateway has an address with ws:// or wss://' }),
    /** The agent at the gateway; without it, the gateway's default. */
    agent_id: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'an agent id has small letters, digits, _ and - only')
      .optional(),
    /** `main`: the agent's main session, which all sessions of this profile then share. Else what the keys begin with. */
    session_key: z
      .string()
      .regex(
        /^(?!(agent|acp|cron|subagent)$)[a-z0-9][a-z0-9_-]{0,63}$/,
        'small letters, digits, _ and -; no word that OpenClaw keeps',
      )
      .optional(),
    /** Given to the agent with each prompt, beside its own. */
    system_prompt: z.string().optional(),
    /** The environment variable or keychain entry that holds the gateway's token. */
    api_key_secret: z.string().optional(),
    /** The same for an Ed25519 key in PEM: who Muster is at a gateway on another machine, once it is paired there. */
    device_key_secret: z.string().optional(),
  }),
);
export type OpenclawProfile = z.infer<typeof openclawGatewaySchema>;

const program = () => ({
  kind: z.literal('cli'),
  ...common(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  /** A text that says, once it is on the screen, that the turn is done; on a line of its own where the prompt names it. */
  sentinel: z.string().min(1).optional(),
  /** Seconds without output and work after which a turn counts as done, where nothing better tells. */
  idle_seconds: z.number().positive().optional(),
  /** Arguments that take up an earlier conversation; `{session}` stands for the agent's own id of it. */
  resume_args: z.array(z.string()).optional(),
  /** Tells the agent that the session's folder is trusted, so that it does not ask so at its start. */
  trust_workspace: z.boolean().default(false),
  /** What the operator types to log in, shown when the agent says that it is not logged in. */
  login_command: z.string().optional(),
});

const terminalSchema = z.lazy(() =>
  z.strictObject({
    ...program(),
    /** Which known agent it is: how it tells the end of a turn, resumes and is asked to stop. Left out: by its command. */
    preset: cliPresetIdSchema.optional(),
  }),
);

/** It cannot ask, so its default is what its own sandbox confines: writing in its workspace. */
const codexExecSchema = z.lazy(() =>
  z.strictObject({
    ...program(),
    preset: z.literal(CODEX_EXEC),
    permissions: permissions.default('allow_edits'),
  }),
);

/** How to start an agent. */
export const agentProfileSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('acp'),
      ...common(),
      command: z.string().min(1),
      args: z.array(z.string()).default([]),
      mcp_servers: z.array(mcpServerSchema).default([]),
      /** What the operator types to log in, shown when the agent says that it is not logged in. */
      login_command: z.string().optional(),
    }),
    z.discriminatedUnion('api', [httpGatewaySchema, openclawGatewaySchema]),
    z.strictObject({
      kind: z.literal('scripted'),
      ...common(),
      /** A YAML file of replies: absolute, relative to the project, or the name of a built-in script. */
      script: z.string().min(1),
    }),
    z.discriminatedUnion('preset', [terminalSchema, codexExecSchema], {
      error: (issue) =>
        issue.code === 'invalid_union' ? 'no agent in a terminal is known as this' : undefined,
    }),
  ]),
);

/** A profile that is saved now or is in a project's file. Its durations have bounds; those of stored ones had none. */
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
export const projectAgentsSchema = z.lazy(() => z.strictObject({ profiles: z.array(newAgentProfileSchema) }));

/** An agent that was looked for on PATH. */
export const detectedAgentSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    found: z.boolean(),
    path: z.string().nullable(),
    version: z.string().nullable(),
    install: z.string(),
    profile: agentProfileSchema,
  }),
);
export type DetectedAgent = z.infer<typeof detectedAgentSchema>;
