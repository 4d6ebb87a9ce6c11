import type { AgentProfile } from '@contract/catalog/profile';

export type Kind = AgentProfile['kind'];

/** How a field of a profile is written, and what it is for. */
export interface FieldSpec {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  /** `lines`: one entry a line. `pairs`: NAME=value. `json`: as it stands. */
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
  field('id', 'Id', { hint: 'Small letters, digits, . _ and -. A workflow names the profile by it.' }),
  field('name', 'Name'),
];

const common: readonly FieldSpec[] = [
  field('model', 'Model', {
    optional: true,
    hint: 'Left empty, the agent takes its own. Test the profile to choose from its models.',
  }),
  field('mode', 'Mode', { optional: true, hint: 'Test the profile to choose from the modes of the agent.' }),
  field('permissions', 'Permissions', {
    input: 'choice',
    hint: 'When the agent asks for permission.',
    choices: [
      { value: 'ask', label: 'Ask me: each request becomes a gate' },
      { value: 'allow_edits', label: 'Allow edits in the workspace, ask for the rest' },
      { value: 'allow_all', label: 'Allow everything' },
      { value: 'deny', label: 'Refuse everything' },
    ],
  }),
  field('read_only', 'Read-only', {
    input: 'check',
    hint: 'It may not change files, whatever its mode or permissions say.',
  }),
  field('max_sessions', 'Sessions at once', { input: 'number', hint: 'In one run.' }),
  field('silence_minutes', 'Silence timeout', {
    input: 'number',
    optional: true,
    hint: 'Minutes without a sign of life after which a turn fails. Empty: it waits indefinitely.',
  }),
  field('env', 'Environment', { input: 'pairs', hint: 'NAME=value, one a line. Never a secret.' }),
  field('secrets', 'Secrets', {
    input: 'lines',
    hint: 'Names of variables that are filled from the keychain, one a line.',
  }),
];

const started: readonly FieldSpec[] = [
  field('command', 'Command'),
  field('args', 'Arguments', { input: 'lines', hint: 'One a line, as they are passed.' }),
];

export const fieldsOf: Record<Kind, readonly FieldSpec[]> = {
  acp: [
    ...names,
    ...started,
    ...common,
    field('login_command', 'Login', {
      optional: true,
      hint: 'What you type to log in, shown when it is needed.',
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
        { value: 'openclaw', label: 'OpenClaw Gateway' },
      ],
    }),
    field('base_url', 'Address', {
      hint: 'For example http://127.0.0.1:11434/v1, or ws://127.0.0.1:18789 for OpenClaw',
    }),
    field('api_key_secret', 'Key', {
      optional: true,
      hint: 'The name of the secret that holds it, or OpenClaw’s token. None for a local endpoint.',
    }),
    field('system_prompt', 'System prompt', { input: 'area', optional: true }),
    field('max_output_tokens', 'Max output tokens', {
      input: 'number',
      optional: true,
      hint: 'In tokens. Not for OpenClaw.',
    }),
    field('prices', 'Prices', {
      input: 'json',
      optional: true,
      hint: 'Dollars for a million tokens, as {"input": 3, "output": 15}. Empty: no cost is reported.',
    }),
    field('agent_id', 'OpenClaw: agent', { optional: true, hint: 'Left empty, the gateway’s default.' }),
    field('session_key', 'OpenClaw: session key', {
      optional: true,
      hint: 'What the keys of its sessions begin with; “main” for the agent’s main session. Empty: muster.',
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
      hint: 'A YAML file of replies: its path, or the name of a script that Muster brings along.',
    }),
    ...common,
  ],
  cli: [
    ...names,
    ...started,
    field('preset', 'Preset', {
      input: 'choice',
      optional: true,
      hint: 'How it tells that a turn is done, how it resumes, and what stops it.',
      choices: [
        { value: '', label: 'By its command' },
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
      hint: 'A text that says that a turn is done. Where the prompt names it, it counts on a line of its own.',
    }),
    field('idle_seconds', 'Idle', {
      input: 'number',
      optional: true,
      hint: 'Seconds of quiet after which a turn counts as done, where nothing better tells. Empty: 15.',
    }),
    field('resume_args', 'Resume', {
      input: 'lines',
      optional: true,
      hint: 'Arguments that take up an earlier conversation, one a line. {session} is its id.',
    }),
    field('trust_workspace', 'Trusted folder', {
      input: 'check',
      hint: 'Tells the agent that the session’s folder is trusted, so that it does not ask at its start.',
    }),
    field('login_command', 'Login', {
      optional: true,
      hint: 'What you type to log in, shown when it is needed.',
    }),
    ...common,
  ],
};

export const kindWords: Record<Kind, string> = {
  acp: 'Agent over ACP',
  gateway: 'Model or OpenClaw Gateway',
  scripted: 'Scripted agent',
  cli: 'Agent in a terminal',
};
