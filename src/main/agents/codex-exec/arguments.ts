import type { AgentProfileOf } from '@contract/catalog/profile';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';

export interface ExecWish {
  readonly profile: AgentProfileOf<'cli'>;
  readonly model: string | null;
  readonly mode: string | null;
  /** Folders outside of the working folder that it must write: the repository that a worktree belongs to. */
  readonly writable: readonly string[];
  readonly messageFile: string;
  /** The thread that is to be gone on with. */
  readonly thread: string | null;
  readonly prompt: string;
}

/** One argument of a process may be so long (Linux: 128 KiB with its end). */
const PROMPT_BYTES = 120_000;

/** What Codex may do without asking, because it cannot ask here; null where that cannot be said. */
export function sandboxOf({ profile, mode }: Pick<ExecWish, 'profile' | 'mode'>): readonly string[] | null {
  if (profile.read_only || profile.permissions === 'deny') return ['--sandbox', 'read-only'];
  if (profile.permissions === 'ask') return null;
  if (mode !== null) return ['--sandbox', mode];
  if (profile.permissions === 'allow_all') return ['--dangerously-bypass-approvals-and-sandbox'];
  return ['--sandbox', 'workspace-write'];
}

/** The arguments of one turn; the prompt is the last of them, behind a mark that it is no option. */
export function execArguments(wish: ExecWish): Result<string[]> {
  const { profile, model, writable, messageFile, thread, prompt } = wish;
  const sandbox = sandboxOf(wish);
  if (sandbox === null) {
    return err(
      appError('agent.refused', `${profile.name} works without a terminal and cannot ask for leave`, {
        mend: 'set permissions: allow_edits (or allow_all) in its profile, and work in a worktree',
      }),
    );
  }
  if (new TextEncoder().encode(prompt).length > PROMPT_BYTES)
    return err(appError('input.invalid', `the prompt is longer than ${PROMPT_BYTES} bytes`));
  const roots = `sandbox_workspace_write.writable_roots=${JSON.stringify(writable)}`;
  return ok([
    'exec',
    '--json',
    ...['--output-last-message', messageFile],
    '--skip-git-repo-check',
    ...sandbox,
    ...(writable.length === 0 ? [] : ['-c', roots]),
    ...(model === null ? [] : ['--model', model]),
    ...profile.args,
    ...(thread === null ? [] : ['resume', thread]),
    ...['--', prompt],
  ]);
}
