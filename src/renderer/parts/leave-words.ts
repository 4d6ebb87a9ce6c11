import { canAsk, sandboxOf } from '@contract/catalog/leave';
import type { AgentProfile } from '@contract/catalog/profile';

/** What an agent may do by itself that cannot ask, in a sentence; null for one that asks. */
export function leaveWords(profile: AgentProfile): string | null {
  if (canAsk(profile)) return null;
  const sandbox = sandboxOf(profile, profile.mode ?? null);
  switch (sandbox) {
    case null:
      return 'It cannot ask, so it does not start with permissions that ask: choose what it may do by itself.';
    case 'read-only':
      return 'It asks nobody. Its sandbox (read-only) lets it change nothing.';
    case 'workspace-write':
      return 'It asks nobody. Its sandbox (workspace-write) lets it write in its working folder, where its commits go and among temporary files; the rest fails.';
    case 'danger-full-access':
      return 'It asks nobody, and works without a sandbox: it may do what you may.';
    default:
      return `It asks nobody, and works in the sandbox ${sandbox}.`;
  }
}
