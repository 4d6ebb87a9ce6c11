import { type AgentProfile, agentProfileSchema } from '@contract/catalog/profile';
import type { z } from 'zod';

type ProfileInput = z.input<typeof agentProfileSchema>;
type AcpInput = Extract<ProfileInput, { kind: 'acp' }>;
type CliInput = Extract<ProfileInput, { kind: 'cli' }>;
type GatewayInput = Extract<ProfileInput, { kind: 'gateway' }>;

/** A well-known agent: how to find it, how to get it, and the profile that it becomes. */
export interface AgentPreset {
  readonly id: string;
  readonly name: string;
  /** Programs by which it is found, the present name first. */
  readonly programs: readonly string[];
  /** What makes the program print its version and end. No other argument is ever tried: some start to serve. */
  readonly versionArgs: readonly string[];
  /** Set where the program only adapts the agent: what makes it print the agent's own version, where it can. */
  readonly adapts?: { readonly versionArgs: readonly string[] | null };
  readonly install: string;
  /** The preset whose program does in its place where it is not installed. */
  readonly instead?: string;
  /** For the program that was found. */
  profile(program: string): AgentProfile;
}

/** What every installation has: the agent that Muster brings along. */
export const builtinProfiles: readonly AgentProfile[] = [
  agentProfileSchema.parse({ kind: 'scripted', id: 'scripted', name: 'Scripted', script: 'default' }),
];

type Known = Omit<AgentPreset, 'profile' | 'versionArgs'>;

function acp(known: Known, how: Omit<AcpInput, 'kind' | 'id' | 'name' | 'command'>): AgentPreset {
  const { id, name } = known;
  return {
    ...known,
    versionArgs: ['--version'],
    profile: (command) => agentProfileSchema.parse({ ...how, kind: 'acp', id, name, command }),
  };
}

/** The same program in a terminal of its own, as the operator would use it by hand. */
function terminal(known: Known, how: Omit<CliInput, 'kind' | 'id' | 'name' | 'command'>): AgentPreset {
  const { id, name } = known;
  return {
    ...known,
    versionArgs: ['--version'],
    profile: (command) => agentProfileSchema.parse({ ...how, kind: 'cli', id, name, command }),
  };
}

/** A local model server. Its model is the operator's to fill in; the address is asked only by the test of the profile. */
function local(known: Known, how: Pick<GatewayInput, 'base_url'>): AgentPreset {
  const { id, name } = known;
  return {
    ...known,
    versionArgs: ['--version'],
    profile: () => agentProfileSchema.parse({ ...how, kind: 'gateway', api: 'openai', id, name }),
  };
}

/** A gateway on this machine, at its usual address; its own variable for the token is the secret's name. */
function openclaw(known: Known): AgentPreset {
  const { id, name } = known;
  return {
    ...known,
    versionArgs: ['--version'],
    profile: () =>
      agentProfileSchema.parse({
        kind: 'gateway',
        api: 'openclaw',
        id,
        name,
        base_url: 'ws://127.0.0.1:18789',
        api_key_secret: 'OPENCLAW_GATEWAY_TOKEN',
      }),
  };
}

const npm = (name: string): string => `npm install --global ${name}`;

const codingAgents: readonly AgentPreset[] = [
  acp(
    { id: 'opencode', name: 'opencode', programs: ['opencode'], install: npm('opencode-ai') },
    { args: ['acp'], login_command: 'opencode auth login' },
  ),
  acp(
    {
      id: 'claude',
      name: 'Claude Code',
      programs: ['claude-agent-acp', 'claude-code-acp'],
      instead: 'claude-cli',
      install: npm('@agentclientprotocol/claude-agent-acp'),
      adapts: { versionArgs: ['--cli', '--version'] },
    },
    // Where a container sets it, the adapter asks Claude Code for a mode that this refuses to root.
    { env: { IS_SANDBOX: '' }, login_command: 'claude-agent-acp --cli auth login' },
  ),
  acp(
    {
      id: 'codex',
      name: 'Codex',
      programs: ['codex-acp'],
      instead: 'codex-cli',
      install: npm('@agentclientprotocol/codex-acp'),
      adapts: { versionArgs: null },
    },
    { login_command: 'codex-acp login' },
  ),
  acp(
    { id: 'gemini', name: 'Gemini CLI', programs: ['gemini'], install: npm('@google/gemini-cli') },
    { args: ['--experimental-acp'], login_command: 'gemini' },
  ),
  acp(
    { id: 'qwen', name: 'Qwen Code', programs: ['qwen'], install: npm('@qwen-code/qwen-code') },
    // Else it looks for the tools of MCP servers while it already answers its first prompt, and has none of Muster's then.
    { args: ['--acp'], env: { QWEN_CODE_LEGACY_MCP_BLOCKING: '1' }, login_command: 'qwen' },
  ),
  acp(
    {
      id: 'goose',
      name: 'goose',
      programs: ['goose'],
      install:
        'curl -fsSL https://github.com/aaif-goose/goose/releases/download/stable/download_cli.sh | bash',
    },
    { args: ['acp'], login_command: 'goose configure' },
  ),
  acp(
    { id: 'copilot', name: 'GitHub Copilot CLI', programs: ['copilot'], install: npm('@github/copilot') },
    { args: ['--acp'], login_command: 'copilot' },
  ),
  acp(
    { id: 'kimi', name: 'Kimi Code', programs: ['kimi'], install: npm('@moonshot-ai/kimi-code') },
    { args: ['acp'], login_command: 'kimi login' },
  ),
  acp(
    { id: 'vibe', name: 'Mistral Vibe', programs: ['vibe-acp'], install: 'uv tool install mistral-vibe' },
    { login_command: 'vibe' },
  ),
  acp(
    { id: 'auggie', name: 'Auggie', programs: ['auggie'], install: npm('@augmentcode/auggie') },
    { args: ['--acp'], login_command: 'auggie login' },
  ),
];

const terminalAgents: readonly AgentPreset[] = [
  terminal(
    {
      id: 'claude-cli',
      name: 'Claude Code (terminal)',
      programs: ['claude'],
      install: npm('@anthropic-ai/claude-code'),
    },
    { preset: 'claude' },
  ),
  terminal(
    { id: 'codex-cli', name: 'Codex (terminal)', programs: ['codex'], install: npm('@openai/codex') },
    { preset: 'codex' },
  ),
  // It cannot ask: where nothing else is said it works in its own sandbox, and writes in its workspace only.
  terminal(
    { id: 'codex-exec', name: 'Codex (exec)', programs: ['codex'], install: npm('@openai/codex') },
    { preset: 'codex-exec', login_command: 'codex login' },
  ),
  terminal(
    {
      id: 'gemini-cli',
      name: 'Gemini CLI (terminal)',
      programs: ['gemini'],
      install: npm('@google/gemini-cli'),
    },
    { preset: 'gemini' },
  ),
  terminal(
    {
      id: 'qwen-cli',
      name: 'Qwen Code (terminal)',
      programs: ['qwen'],
      install: npm('@qwen-code/qwen-code'),
    },
    { preset: 'qwen' },
  ),
  terminal(
    { id: 'aider', name: 'aider (terminal)', programs: ['aider'], install: 'uv tool install aider-chat' },
    { preset: 'aider' },
  ),
];

const localServers: readonly AgentPreset[] = [
  openclaw({ id: 'openclaw', name: 'OpenClaw', programs: ['openclaw'], install: npm('openclaw') }),
  local(
    { id: 'ollama', name: 'Ollama', programs: ['ollama'], install: 'https://ollama.com/download' },
    { base_url: 'http://127.0.0.1:11434/v1' },
  ),
  local(
    { id: 'lm-studio', name: 'LM Studio', programs: ['lms'], install: 'https://lmstudio.ai/download' },
    { base_url: 'http://127.0.0.1:1234/v1' },
  ),
];

export const agentPresets: readonly AgentPreset[] = [...codingAgents, ...terminalAgents, ...localServers];
