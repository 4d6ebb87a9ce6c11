import type { AgentProfile } from '../contract/profile';

export type Kind = AgentProfile['kind'];

/** How a field of a profile is entered, and what it is for. */
export interface FieldSpec {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  /** `lines`: one entry per line. `pairs`: NAME=value. `json`: raw JSON. */
  readonly input: 'text' | 'area' | 'lines' | 'pairs' | 'json' | 'number' | 'check' | 'choice';
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly optional?: boolean;
}

const field = (name: string, label: string, more: Partial<FieldSpec> = {}): FieldSpec => ({
  name,
  label,
  hint: '',
  input: 'text',
  ...more,
});

const names: readonly FieldSpec[] = [
  field('id', 'Id', { hint: 'Lowercase letters, digits, . _ and -. Workflows name the profile by this id.' }),
  field('name', 'Name'),
];

const common: readonly FieldSpec[] = [
  field('model', 'Model', {
    optional: true,
    hint: 'If empty, the agent uses its default. Test the profile to choose from its models.',
  }),
  field('mode', 'Mode', { optional: true, hint: 'Test the profile to choose from the agent’s modes.' }),
  field('permissions', 'Permissions', {
    input: 'choice',
    hint: 'When the agent asks for permission.',
    choices: [
      { value: 'ask', label: 'Ask me: each request becomes a gate' },
      { value: 'allow_edits', label: 'Allow edits in the workspace, ask for the rest' },
      { value: 'allow_all', label: 'Allow everything' },
      { value: 'deny', label: 'Deny everything' },
    ],
  }),
  field('read_only', 'Read-only', {
    input: 'check',
    hint: 'The agent may not change files, whatever its mode or permissions allow.',
  }),
  field('max_sessions', 'Maximum sessions', { input: 'number', hint: 'In one run.' }),
  field('silence_minutes', 'Silence timeout', {
    input: 'number',
    optional: true,
    hint: 'You are asked about a turn after this many minutes without a sign of life. Empty: 10.',
  }),
  field('env', 'Environment', { input: 'pairs', hint: 'NAME=value, one per line. Not for secrets.' }),
  field('secrets', 'Secrets', {
    input: 'lines',
    hint: 'Variables that are filled from the keychain, one name per line.',
  }),
];

const started: readonly FieldSpec[] = [
  field('command', 'Command'),
  field('args', 'Arguments', { input: 'lines', hint: 'One per line, passed exactly as written.' }),
];

export const fieldsOf: Record<Kind, readonly FieldSpec[]> = {
  acp: [
    ...names,
    ...started,
    ...common,
    field('login_command', 'Login', {
      optional: true,
      hint: 'The command you type to log in, shown when a login is needed.',
    }),
    field('mcp_servers', 'MCP servers', { input: 'json', hint: 'A list of {name, command, args, env}.' }),
  ],
  gateway: [
    ...names,
    field('api', 'API', {
      input: 'choice',
      choices: [
        { value: 'openai', label: 'OpenAI-compatible' },
        { value: 'anthropic', label: 'Anthropic-compatible' },
        { value: 'openclaw', label: 'OpenClaw gateway' },
      ],
    }),
    field('base_url', 'Address', {
      hint: 'For example http://127.0.0.1:11434/v1, or ws://127.0.0.1:18789 for OpenClaw',
    }),
    field('api_key_secret', 'API key', {
      optional: true,
      hint: 'The name of the secret with the API key or OpenClaw’s token. Empty for a local endpoint.',
    }),
    field('system_prompt', 'System prompt', { input: 'area', optional: true }),
    field('max_output_tokens', 'Max output tokens', {
      input: 'number',
      optional: true,
      hint: 'Not used by OpenClaw.',
    }),
    field('prices', 'Prices', {
      input: 'json',
      optional: true,
      hint: 'Dollars per million tokens, for example {"input": 3, "output": 15}. Empty: no cost is reported.',
    }),
    field('agent_id', 'OpenClaw: agent', { optional: true, hint: 'If empty, the gateway’s default agent.' }),
    field('session_key', 'OpenClaw: session key', {
      optional: true,
      hint: 'Prefix of its session keys; “main” for the agent’s main session. Empty: muster.',
    }),
    field('device_key_secret', 'OpenClaw: device key', {
      optional: true,
      hint: 'The name of the secret with an Ed25519 key, for a gateway on another machine.',
    }),
    ...common,
  ],
  scripted: [
    ...names,
    field('script', 'Script', {
      hint: 'A YAML file of replies: its path, or the name of a built-in script.',
    }),
    ...common,
  ],
  cli: [
    ...names,
    ...started,
    field('preset', 'Preset', {
      input: 'choice',
      optional: true,
      hint: 'How Muster recognizes the end of a turn, resumes a session and stops the agent.',
      choices: [
        { value: '', label: 'Detect from the command' },
        { value: 'claude', label: 'Claude Code' },
        { value: 'codex', label: 'Codex' },
        { value: 'codex-exec', label: 'Codex without a terminal (codex exec)' },
        { value: 'gemini', label: 'Gemini CLI' },
        { value: 'qwen', label: 'Qwen Code' },
        { value: 'aider', label: 'aider' },
        { value: 'generic', label: 'Another program with a prompt' },
      ],
    }),
    field('sentinel', 'Sentinel', {
      optional: true,
      hint: 'Text that marks the end of a turn. If the prompt contains it, it counts only on a line of its own.',
    }),
    field('idle_seconds', 'Idle time', {
      input: 'number',
      optional: true,
      hint: 'Seconds of silence after which a turn counts as done, if nothing else shows its end. Empty: 15.',
    }),
    field('resume_args', 'Resume', {
      input: 'lines',
      optional: true,
      hint: 'Arguments that resume an earlier conversation, one per line. {session} is its id.',
    }),
    field('trust_workspace', 'Trusted folder', {
      input: 'check',
      hint: 'Tells the agent that the session’s folder is trusted, so that it does not ask at startup.',
    }),
    field('login_command', 'Login', {
      optional: true,
      hint: 'The command you type to log in, shown when a login is needed.',
    }),
    ...common,
  ],
};

export const kindWords: Record<Kind, string> = {
  acp: 'Agent over ACP',
  gateway: 'Model or OpenClaw gateway',
  scripted: 'Scripted agent',
  cli: 'Agent in a terminal',
};
