import type { Speaker } from '@areas/agents/contract/agent-kinds';
import { speakerOf } from '@areas/agents/contract/permission-capabilities';
import type { AgentProfile } from '@areas/agents/contract/profile';
import type { Modes } from '../modes';

/** Properties of an agent that the protocol does not reveal. */
interface KnownAgent {
  /** Null if an environment variable controls its questions. */
  readonly modes: Modes | null;
  /**
   * It can create a file through `fs/*`. Gemini CLI cannot: it reads a file before writing it, and takes "not
   * found" for a failure of its tool.
   */
  readonly clientFiles: boolean;
}

/**
 * In its default mode a reviewer model answers the operator's questions. In `workspace-write` its sandbox
 * confines what it runs without a question.
 */
const codexModes: Modes = {
  of: { ask: 'read-only', allow_edits: 'workspace-write', allow_all: 'workspace-write', deny: 'read-only' },
  asking: ['read-only'],
  reading: ['read-only'],
};

/**
 * Muster answers each request by the profile, so the agent must ask regardless of the profile. Its own
 * settings or defaults may select a mode in which it decides by itself.
 */
const askingModes = (reading: Modes['reading']): Modes => ({
  of: { ask: 'default', allow_edits: 'default', allow_all: 'default', deny: 'default' },
  asking: reading,
  reading,
});

const KNOWN: Readonly<Record<Speaker, KnownAgent>> = {
  opencode: { modes: null, clientFiles: true },
  codex: { modes: codexModes, clientFiles: true },
  claude: { modes: askingModes(['default', 'plan', 'dontAsk']), clientFiles: true },
  gemini: { modes: askingModes(['default', 'plan']), clientFiles: false },
  qwen: { modes: askingModes(['default', 'plan']), clientFiles: true },
};

/** Null for an agent unknown to Muster. */
export function knownAgent(profile: AgentProfile): (KnownAgent & { readonly id: Speaker }) | null {
  const id = speakerOf(profile);
  return id === null ? null : { id, ...KNOWN[id] };
}
