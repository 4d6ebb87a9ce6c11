import { type AgentProfile, type CliPresetId, CODEX_EXEC, type HttpGatewayProfile } from './profile';

/**
 * Capabilities of a kind of agent, known before it starts. Adapters, engine and window read these tables;
 * outside an agent's own folder no code refers to it by name. `main/agents/registry.ts` has the adapters.
 */
interface AgentCapabilities {
  /** The profile's kind: several kinds of agents may share the same profile fields. */
  readonly profile: AgentProfile['kind'];
  /** The agent can use Muster's own tools, through an MCP server. */
  readonly mcp: boolean;
  /** The agent edits files in the session's folder. */
  readonly changesFiles: boolean;
  /** The agent may have tools of its own; for example the agent behind a gateway. */
  readonly hasTools: boolean;
  /** The agent can request permission while it works. If not, it is told at its start what it may do. */
  readonly canAsk: boolean;
  /** The agent's program or conversation survives a core restart, so a turn in flight continues. */
  readonly outlivesCore: boolean;
  /** Needs only its program; other agents need a model or token in their profile first. */
  readonly worksByName: boolean;
  /** An HTTP endpoint that lists its models; the profile chooses one. */
  readonly servesModels: boolean;
  /** Updates can be delivered into the agent's main session. */
  readonly takesDeliveries: boolean;
  /** The agent writes the logs of a loop itself. */
  readonly keepsLoopLogs: boolean;
  /** Its program can run on a remote host. */
  readonly worksOnHosts: boolean;
  /** A scripted agent for trying things out; used only if someone chooses it explicitly. */
  readonly rehearsed: boolean;
}

const program = {
  mcp: true,
  changesFiles: true,
  hasTools: true,
  canAsk: true,
  outlivesCore: false,
  worksByName: true,
  servesModels: false,
  takesDeliveries: false,
  keepsLoopLogs: false,
  worksOnHosts: false,
  rehearsed: false,
} as const;
const server = {
  ...program,
  mcp: false,
  changesFiles: false,
  hasTools: false,
  worksByName: false,
} as const;

/** Every kind of agent. A new one is an entry here, its folder in `main/agents`, and its line in the registry. */
export const agentKinds = {
  acp: { ...program, profile: 'acp', worksOnHosts: true },
  scripted: { ...program, profile: 'scripted', rehearsed: true },
  cli: { ...program, profile: 'cli', mcp: false, outlivesCore: true },
  [CODEX_EXEC]: { ...program, profile: 'cli', mcp: false, canAsk: false, keepsLoopLogs: true },
  gateway: { ...server, profile: 'gateway', servesModels: true },
  openclaw: { ...server, profile: 'gateway', hasTools: true, takesDeliveries: true },
} as const satisfies Readonly<Record<string, AgentCapabilities>>;

export type AgentKind = keyof typeof agentKinds;

/** The kind of agent that a profile is of: finer than `profile.kind`, which says what its fields are. */
export function kindOf(profile: AgentProfile): AgentKind {
  if (profile.kind === 'cli' && profile.preset === CODEX_EXEC) return CODEX_EXEC;
  return profile.kind === 'gateway' && profile.api === 'openclaw' ? 'openclaw' : profile.kind;
}

export const capabilitiesOf = (profile: AgentProfile): AgentCapabilities => agentKinds[kindOf(profile)];

export const servesModels = (profile: AgentProfile): profile is HttpGatewayProfile =>
  capabilitiesOf(profile).servesModels;

interface TerminalProgram {
  /** Can be started so that it asks before each write, as is required in the operator's own checkout. */
  readonly asksBeforeWrites: boolean;
  /** Has a sandbox or mode that forbids all writes, with no way to request an exception. */
  readonly heldToReading: boolean;
  /** Why it is not started in a terminal, and what to use instead. */
  readonly withdrawn?: { readonly message: string; readonly mend: string };
}

const asks: TerminalProgram = { asksBeforeWrites: true, heldToReading: false };

/** The programs that run without a protocol of their own. */
export const terminalPrograms: Readonly<Record<CliPresetId | typeof CODEX_EXEC, TerminalProgram>> = {
  claude: asks,
  codex: { ...asks, heldToReading: true },
  // The agent does not report its turns, so its answer would be its whole screen.
  opencode: {
    asksBeforeWrites: true,
    heldToReading: true,
    withdrawn: {
      message: 'opencode does not tell its answer apart from its screen',
      mend: 'use the agent opencode, which speaks the Agent Client Protocol (kind acp, command opencode, args acp)',
    },
  },
  gemini: asks,
  qwen: asks,
  aider: { asksBeforeWrites: false, heldToReading: true },
  generic: { asksBeforeWrites: false, heldToReading: false },
  [CODEX_EXEC]: { asksBeforeWrites: false, heldToReading: true },
};

/**
 * Commands that an agent runs without asking, whatever its profile says; one sentence each, for the operator.
 */
interface UnaskedCommands {
  /** With a policy that asks or refuses. */
  readonly usually: string | null;
  /** If the profile lets the agent write. */
  readonly writing: string | null;
  /** If the profile allows everything. */
  readonly everything: string | null;
}

const readingCommands =
  'It runs commands that only read, such as cat and ls, without asking. Every other command asks.';
const reads: UnaskedCommands = { usually: readingCommands, writing: readingCommands, everything: null };
const sandboxed = (what: string): string =>
  `It runs commands without asking inside its own sandbox, where they have no network and can ${what}. To leave the sandbox it asks.`;
const sandboxWrites = sandboxed('write in the working folder and among temporary files only');

interface AcpProgram {
  /** The names of its programs and packages. */
  readonly names: readonly string[];
  readonly unasked: UnaskedCommands;
}

/** Known agents with the Agent Client Protocol, whose modes Muster knows. */
export const acpPrograms = {
  opencode: {
    names: ['opencode', 'opencode-ai'],
    unasked: { usually: null, writing: null, everything: null },
  },
  codex: {
    names: ['codex-acp'],
    unasked: { usually: sandboxed('change nothing'), writing: sandboxWrites, everything: sandboxWrites },
  },
  claude: { names: ['claude-agent-acp', 'claude-code-acp'], unasked: reads },
  gemini: { names: ['gemini', 'gemini-cli'], unasked: reads },
  qwen: { names: ['qwen', 'qwen-code'], unasked: reads },
} as const satisfies Readonly<Record<string, AcpProgram>>;

export type Speaker = keyof typeof acpPrograms;
