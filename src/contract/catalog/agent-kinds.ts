import { type AgentProfile, type CliPresetId, CODEX_EXEC, type HttpGatewayProfile } from './profile';

/**
 * What Muster has to know of an agent before it is started. Adapters, engine and window ask these tables; no other code
 * outside of an agent's own folder knows it by name. `main/agents/registry.ts` has the adapter of each kind.
 */
export interface AgentCapabilities {
  /** The kind of profile that describes it: several kinds of agents may share the fields of one. */
  readonly profile: AgentProfile['kind'];
  /** It is given Muster's own tools, as an MCP server. */
  readonly mcp: boolean;
  /** It works on the files of the session's folder. */
  readonly changesFiles: boolean;
  /** It does more than answer: behind a gateway may stand an agent with tools of its own. */
  readonly hasTools: boolean;
  /** It can ask for permission while it works. One that cannot is told beforehand what it may do. */
  readonly canAsk: boolean;
  /** Its program, or its conversation, can live on while the core is away, so that a turn in flight continues. */
  readonly outlivesCore: boolean;
  /** Nothing but its program has to be there; others need a model or a token in their profile first. */
  readonly worksByName: boolean;
  /** It is models at an HTTP address, which lists them; the profile chooses one. */
  readonly servesModels: boolean;
  /** An update can be delivered into its main session. */
  readonly takesDeliveries: boolean;
  /** It writes the logs of a loop by itself. */
  readonly keepsLoopLogs: boolean;
  /** Its replies are written beforehand, to try things out: no task is begun with it unless someone chooses it. */
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
  acp: { ...program, profile: 'acp' },
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
  /** It can be started so that it asks before each write, as it must in the operator's own checkout. */
  readonly asksBeforeWrites: boolean;
  /** It has a sandbox or a mode that lets nothing be written and that no one is asked to leave. */
  readonly heldToReading: boolean;
  /** Why it is not started in a terminal, and what to use instead. */
  readonly withdrawn?: { readonly message: string; readonly mend: string };
}

const asks: TerminalProgram = { asksBeforeWrites: true, heldToReading: false };

/** The programs that run without a protocol of their own. */
export const terminalPrograms: Readonly<Record<CliPresetId | typeof CODEX_EXEC, TerminalProgram>> = {
  claude: asks,
  codex: { ...asks, heldToReading: true },
  // It tells nothing of its turns, so its whole screen would be in the place of its answer.
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

/** Which commands an agent runs without a question, whatever its profile says, in a sentence for the operator. */
export interface UnaskedCommands {
  /** Under a policy that asks, or refuses. */
  readonly usually: string | null;
  /** Where its profile lets it write. */
  readonly writing: string | null;
  /** Where its profile allows everything. */
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

/** Agents that speak the Agent Client Protocol and whose modes are known. */
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
