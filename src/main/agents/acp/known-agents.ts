import type { Speaker } from '@contract/catalog/agent-kinds';
import { speakerOf } from '@contract/catalog/permission-capabilities';
import type { AgentProfile } from '@contract/catalog/profile';
import type { Modes } from '../modes';

/** What Muster has to know of an agent that the protocol does not tell. */
export interface KnownAgent {
  /** Null where an environment variable says what it asks about. */
  readonly modes: Modes | null;
  /**
   * It can create a file by way of `fs/*`. Gemini CLI cannot: it reads a file before it writes it, and takes the answer
   * that there is none for the failure of its tool.
   */
  readonly clientFiles: boolean;
}

/**
 * In its default mode a reviewer model of its own answers what the operator is to be asked. In `workspace-write` its
 * sandbox holds what it runs without a question.
 */
const codexModes: Modes = {
  of: { ask: 'read-only', allow_edits: 'workspace-write', allow_all: 'workspace-write', deny: 'read-only' },
  asking: ['read-only'],
  reading: ['read-only'],
};

/**
 * Muster answers each request by the profile, so the agent has to ask whatever the profile allows. Its own settings, or
 * its maker, may have made a mode the usual one in which it decides by itself.
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

/** Null for an agent that Muster does not know. */
export function knownAgent(profile: AgentProfile): (KnownAgent & { readonly id: Speaker }) | null {
  const id = speakerOf(profile);
  return id === null ? null : { id, ...KNOWN[id] };
}
