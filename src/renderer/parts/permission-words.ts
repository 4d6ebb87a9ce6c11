import { acpPrograms } from '@contract/catalog/agent-kinds';
import {
  asksBeforeWrites,
  canAsk,
  hasKnownModes,
  heldToReading,
  sandboxOf,
  speakerOf,
  withdrawnWords,
} from '@contract/catalog/permission-capabilities';
import type { AgentProfile } from '@contract/catalog/profile';

/** Modes in which a known agent asks before each write, or writes nothing. */
const ASKING = new Set(['default', 'manual', 'plan', 'read-only', 'dontAsk']);

/** What an agent does that its profile does not let one expect, in a sentence; null where there is nothing to say. */
export function permissionWords(profile: AgentProfile): string | null {
  const withdrawn = withdrawnWords(profile);
  if (withdrawn !== null) return `${withdrawn.message}. Instead, ${withdrawn.mend}.`;
  return canAsk(profile) ? (unaskedWords(profile) ?? commandWords(profile)) : sandboxWords(profile);
}

/** The commands that a known agent runs without a question, whatever its profile says. */
function commandWords(profile: AgentProfile): string | null {
  const { mode, permissions, read_only } = profile;
  const speaker = speakerOf(profile);
  if (speaker === null || mode !== undefined) return null;
  const { unasked } = acpPrograms[speaker];
  if (read_only || permissions === 'ask' || permissions === 'deny') return unasked.usually;
  return permissions === 'allow_all' ? unasked.everything : unasked.writing;
}

/** A profile that wants to be asked, or that only reads, and an agent that does not keep to it by itself. */
function unaskedWords(profile: AgentProfile): string | null {
  const { mode, permissions, read_only } = profile;
  if (!asksBeforeWrites(profile)) {
    if (heldToReading(profile)) return null;
    if (read_only) return 'Nothing keeps this program from writing: that it only reads is your word for it.';
    return permissions === 'ask'
      ? 'Nothing makes this program ask before it writes. It does not start in your own checkout; in a worktree it writes as it likes.'
      : null;
  }
  if (!hasKnownModes(profile) || mode === undefined || ASKING.has(mode)) return null;
  if (read_only) return `It only reads, so the mode ${mode} is passed over.`;
  return permissions === 'ask'
    ? `In a worktree the mode ${mode} lets it write without asking. In your own checkout that mode is passed over.`
    : null;
}

/** Of one that cannot ask. */
function sandboxWords(profile: AgentProfile): string | null {
  const sandbox = sandboxOf(profile, profile.mode ?? null);
  switch (sandbox) {
    case null:
      return 'It cannot ask, so it does not start with permissions that ask: choose what it may do by itself.';
    case 'read-only':
      return 'It asks no one. Its sandbox (read-only) lets it change nothing.';
    case 'workspace-write':
      return 'It asks no one. Its sandbox (workspace-write) lets it write in its working folder, where its commits go and among temporary files; the rest fails.';
    case 'danger-full-access':
      return 'It asks no one, and works without a sandbox: it may do what you may.';
    default:
      return `It asks no one, and works in the sandbox ${sandbox}.`;
  }
}
