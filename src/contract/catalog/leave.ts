import { type AgentProfile, CODEX_EXEC } from './profile';

/** Whether an agent can ask for leave while it works. One that cannot is told beforehand what it may do. */
export const canAsk = (profile: AgentProfile): boolean =>
  profile.kind !== 'cli' || profile.preset !== CODEX_EXEC;

/**
 * The sandbox of its own that an agent works in which cannot ask, by the name that Codex gives it. `mode` is that of the
 * session, where one is asked for. Null: its profile wants to be asked, so that it cannot work at all.
 */
export function sandboxOf(
  { read_only, permissions }: Pick<AgentProfile, 'read_only' | 'permissions'>,
  mode: string | null,
): string | null {
  if (read_only || permissions === 'deny') return 'read-only';
  if (permissions === 'ask') return null;
  return mode ?? (permissions === 'allow_all' ? 'danger-full-access' : 'workspace-write');
}
