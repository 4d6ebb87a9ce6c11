import { acpPrograms } from '@areas/agents/contract/agent-kinds';
import {
  asksBeforeWrites,
  canAsk,
  hasKnownModes,
  heldToReading,
  sandboxOf,
  speakerOf,
  withdrawnWords,
} from '@areas/agents/contract/permission-capabilities';
import type { AgentProfile } from '@areas/agents/contract/profile';

/** Modes in which a known agent asks before each write, or writes nothing. */
const ASKING = new Set(['default', 'manual', 'plan', 'read-only', 'dontAsk']);

/** A sentence on an agent's behaviour that its profile would not suggest; null if there is none. */
export function permissionWords(profile: AgentProfile): string | null {
  const withdrawn = withdrawnWords(profile);
  if (withdrawn !== null) return `${withdrawn.message}. Instead, ${withdrawn.mend}.`;
  return canAsk(profile) ? (unaskedWords(profile) ?? commandWords(profile)) : sandboxWords(profile);
}

/** The commands that a known agent runs without asking, whatever its profile says. */
function commandWords(profile: AgentProfile): string | null {
  const { mode, permissions, read_only } = profile;
  const speaker = speakerOf(profile);
  if (speaker === null || mode !== undefined) return null;
  const { unasked } = acpPrograms[speaker];
  if (read_only || permissions === 'ask' || permissions === 'deny') return unasked.usually;
  return permissions === 'allow_all' ? unasked.everything : unasked.writing;
}

/** A profile that wants questions, or only reads, with an agent that does not follow this by itself. */
function unaskedWords(profile: AgentProfile): string | null {
  const { mode, permissions, read_only } = profile;
  if (!asksBeforeWrites(profile)) {
    if (heldToReading(profile)) return null;
    if (read_only) return 'Muster cannot stop this program from writing. “Read-only” is your promise.';
    return permissions === 'ask'
      ? 'This program does not ask before it writes. It does not start in your own checkout; in a worktree it writes freely.'
      : null;
  }
  if (!hasKnownModes(profile) || mode === undefined || ASKING.has(mode)) return null;
  if (read_only) return `The profile is read-only, so the mode ${mode} is ignored.`;
  return permissions === 'ask'
    ? `In a worktree the mode ${mode} lets it write without asking. In your own checkout the mode is ignored.`
    : null;
}

/** For an agent that cannot ask. */
function sandboxWords(profile: AgentProfile): string | null {
  const sandbox = sandboxOf(profile, profile.mode ?? null);
  switch (sandbox) {
    case null:
      return 'It cannot ask, so it does not start with “Ask me”. Choose what it may do without asking.';
    case 'read-only':
      return 'It never asks. Its read-only sandbox lets it change nothing.';
    case 'workspace-write':
      return 'It never asks. Its sandbox (workspace-write) lets it write to its working folder, the repository and temporary files; everything else fails.';
    case 'danger-full-access':
      return 'It never asks and has no sandbox: it may do everything you may.';
    default:
      return `It never asks, and works in the sandbox ${sandbox}.`;
  }
}
