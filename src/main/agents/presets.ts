import type { AgentLogin } from '@areas/agents/contract/login';
import { type AgentProfile, agentProfileSchema } from '@areas/agents/contract/profile';
import { REHEARSAL } from '@areas/agents/contract/rehearsal';
import type { z } from 'zod';
import { codexProgram, logins } from './logins';

type ProfileInput = z.input<typeof agentProfileSchema>;
type AcpInput = Extract<ProfileInput, { kind: 'acp' }>;
type CliInput = Extract<ProfileInput, { kind: 'cli' }>;
type GatewayInput = Extract<ProfileInput, { kind: 'gateway' }>;

/** A well-known agent: how to find it, how to install it, and its profile. */
interface AgentPreset {
  readonly id: string;
  readonly name: string;
  /** Programs to look for, the current name first. */
  readonly programs: readonly string[];
  /**
   * Arguments that make the program print its version and end. Nothing else is tried: some programs would
   * start serving.
   */
  readonly versionArgs: readonly string[];
  /**
   * Set if the program is only an adapter: the arguments that make it print the agent's own version, if it
   * can.
   */
  readonly adapts?: { readonly versionArgs: readonly string[] | null };
  readonly install: string;
  /** What shows without a request whether it is logged in; absent if nothing does. */
  readonly login?: AgentLogin;
  /** The preset whose program is used instead if this one is not installed. */
  readonly instead?: string;
  /** The profile for the program that was found. */
  profile(program: string): AgentProfile;
}

/** Available in every installation: Muster's own scripted agent. */
export const builtinProfiles: readonly AgentProfile[] = [
  agentProfileSchema.parse({ kind: 'scripted', id: 'scripted', name: REHEARSAL, script: 'default' }),
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

/** The same program in its own terminal, as the operator would use it. */
function terminal(known: Known, how: Omit<CliInput, 'kind' | 'id' | 'name' | 'command'>): AgentPreset {
  const { id, name } = known;
  return {
    ...known,
    versionArgs: ['--version'],
    profile: (command) => agentProfileSchema.parse({ ...how, kind: 'cli', id, name, command }),
  };
}

/** A local model server. The operator chooses its model; only testing the profile contacts the address. */
function local(known: Known, how: Pick<GatewayInput, 'base_url'>): AgentPreset {
  const { id, name } = known;
  return {
    ...known,
    versionArgs: ['--version'],
    profile: () => agentProfileSchema.parse({ ...how, kind: 'gateway', api: 'openai', id, name }),
  };
}

/** A gateway on this machine at its default address; the secret has the name of its own token variable. */
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
    {
      id: 'opencode',
      login: logins.opencode,
      name: 'opencode',
      programs: ['opencode'],
      install: npm('opencode-ai'),
    },
    { args: ['acp'], login_command: 'opencode auth login' },
  ),
  acp(
    {
      id: 'claude',
      login: logins.claude,
      name: 'Claude Code',
      programs: ['claude-agent-acp', 'claude-code-acp'],
      instead: 'claude-cli',
      install: npm('@agentclientprotocol/claude-agent-acp'),
      adapts: { versionArgs: ['--cli', '--version'] },
    },
    // If a container sets this, the adapter requests a mode that Claude Code refuses to root.
    { env: { IS_SANDBOX: '' }, login_command: 'claude-agent-acp --cli auth login' },
  ),
  acp(
    {
      id: 'codex',
      login: logins.codex,
      name: 'Codex',
      programs: ['codex-acp'],
      instead: 'codex-cli',
      install: npm('@agentclientprotocol/codex-acp'),
      adapts: { versionArgs: null },
    },
    { login_command: 'codex-acp login' },
  ),
  acp(
    {
      id: 'gemini',
      login: logins.gemini,
      name: 'Gemini CLI',
      programs: ['gemini'],
      install: npm('@google/gemini-cli'),
    },
    { args: ['--experimental-acp'], login_command: 'gemini' },
  ),
  acp(
    {
      id: 'qwen',
      login: logins.qwen,
      name: 'Qwen Code',
      programs: ['qwen'],
      install: npm('@qwen-code/qwen-code'),
    },
    // Otherwise it discovers MCP tools while already answering its first prompt, and then lacks Muster's.
    { args: ['--acp'], env: { QWEN_CODE_LEGACY_MCP_BLOCKING: '1' }, login_command: 'qwen' },
  ),
  acp(
    {
      id: 'goose',
      login: logins.goose,
      name: 'goose',
      programs: ['goose'],
      install:
        'curl -fsSL https://github.com/aaif-goose/goose/releases/download/stable/download_cli.sh | bash',
    },
    { args: ['acp'], login_command: 'goose configure' },
  ),
  acp(
    {
      id: 'copilot',
      login: logins.copilot,
      name: 'GitHub Copilot CLI',
      programs: ['copilot'],
      install: npm('@github/copilot'),
    },
    { args: ['--acp'], login_command: 'copilot' },
  ),
  acp(
    {
      id: 'kimi',
      login: logins.kimi,
      name: 'Kimi Code',
      programs: ['kimi'],
      install: npm('@moonshot-ai/kimi-code'),
    },
    { args: ['acp'], login_command: 'kimi login' },
  ),
  acp(
    {
      id: 'vibe',
      login: logins.vibe,
      name: 'Mistral Vibe',
      programs: ['vibe-acp'],
      install: 'uv tool install mistral-vibe',
    },
    { login_command: 'vibe' },
  ),
  acp(
    {
      id: 'auggie',
      login: logins.auggie,
      name: 'Auggie',
      programs: ['auggie'],
      install: npm('@augmentcode/auggie'),
    },
    { args: ['--acp'], login_command: 'auggie login' },
  ),
];

const terminalAgents: readonly AgentPreset[] = [
  terminal(
    {
      id: 'claude-cli',
      login: logins.claude,
      name: 'Claude Code (terminal)',
      programs: ['claude'],
      install: npm('@anthropic-ai/claude-code'),
    },
    { preset: 'claude' },
  ),
  terminal(
    {
      id: 'codex-cli',
      login: codexProgram,
      name: 'Codex (terminal)',
      programs: ['codex'],
      install: npm('@openai/codex'),
    },
    { preset: 'codex' },
  ),
  // It cannot ask: by default it works in its own sandbox, and writes only in its workspace.
  terminal(
    {
      id: 'codex-exec',
      login: codexProgram,
      name: 'Codex (exec)',
      programs: ['codex'],
      install: npm('@openai/codex'),
    },
    { preset: 'codex-exec', login_command: 'codex login' },
  ),
  terminal(
    {
      id: 'gemini-cli',
      login: logins.gemini,
      name: 'Gemini CLI (terminal)',
      programs: ['gemini'],
      install: npm('@google/gemini-cli'),
    },
    { preset: 'gemini' },
  ),
  terminal(
    {
      id: 'qwen-cli',
      login: logins.qwen,
      name: 'Qwen Code (terminal)',
      programs: ['qwen'],
      install: npm('@qwen-code/qwen-code'),
    },
    { preset: 'qwen' },
  ),
  terminal(
    {
      id: 'aider',
      login: logins.aider,
      name: 'aider (terminal)',
      programs: ['aider'],
      install: 'uv tool install aider-chat',
    },
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
