import {
  CANNOT_ASK_REFUSAL,
  OWN_CHECKOUT_REFUSAL,
  sandboxOf,
} from '@areas/agents/contract/permission-capabilities';
import type { AgentProfileOf } from '@areas/agents/contract/profile';
import { type AppError, appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { type OwnFolders, writableRoots } from '../own-folders';

interface ExecWish {
  readonly profile: AgentProfileOf<'cli'>;
  readonly model: string | null;
  readonly mode: string | null;
  /** It works in the operator's own checkout. */
  readonly ownCheckout: boolean;
  readonly folders: OwnFolders | null;
  readonly messageFile: string;
  /** The thread to continue. */
  readonly thread: string | null;
  readonly prompt: string;
}

/** Maximum length of one process argument (Linux: 128 KiB including its end). */
const PROMPT_BYTES = 120_000;

/** What Codex may do without asking, because it cannot ask here; null if that is undefined. */
function sandboxFlags({ profile, mode }: Pick<ExecWish, 'profile' | 'mode'>): readonly string[] | null {
  const sandbox = sandboxOf(profile, mode);
  if (sandbox === null) return null;
  if (sandbox === 'danger-full-access' && mode === null)
    return ['--dangerously-bypass-approvals-and-sandbox'];
  return ['--sandbox', sandbox];
}

/** Why it does not start, and the remedy. In the operator's own checkout each write needs permission. */
export function cannotAsk(name: string, { ownCheckout }: { readonly ownCheckout: boolean }): AppError {
  return ownCheckout
    ? appError('agent.refused', OWN_CHECKOUT_REFUSAL.message(name), { mend: OWN_CHECKOUT_REFUSAL.mend })
    : appError('agent.refused', CANNOT_ASK_REFUSAL.message(name), { mend: CANNOT_ASK_REFUSAL.mend });
}

export interface ExecCall {
  readonly args: readonly string[];
  /** Its standard input; null if there is none. */
  readonly input: string | null;
}

/**
 * The call for one turn: the prompt is the last argument, after `--`. A prompt that is too long is passed on
 * standard input, and so is the single word that would mean standard input.
 */
export function execCall(wish: ExecWish): Result<ExecCall> {
  const { profile, model, folders, messageFile, thread, prompt } = wish;
  const sandbox = sandboxFlags(wish);
  if (sandbox === null) return err(cannotAsk(profile.name, wish));
  const input = prompt === '-' || new TextEncoder().encode(prompt).length > PROMPT_BYTES ? prompt : null;
  const args = [
    'exec',
    '--json',
    ...['--output-last-message', messageFile],
    '--skip-git-repo-check',
    ...sandbox,
    ...(folders === null ? [] : ['-c', writableRoots(folders)]),
    ...(model === null ? [] : ['--model', model]),
    ...profile.args,
    ...(thread === null ? [] : ['resume', thread]),
    ...['--', input === null ? prompt : '-'],
  ];
  return ok({ args, input });
}
