import { ok, type Result } from '@contract/result';
import type { Context } from '../command';
import { EXIT, type ExitCode } from '../exit';
import type { Link } from '../link/link';
import { waitForRun } from './wait';
import { withCore } from './with-core';

/** Flags of a command that may continue the run that it changed. */
export const actFlags = {
  wait: { help: 'then follow the run to its end, through gates' },
  detach: { help: 'if no Muster is running, let one in the background continue the run' },
} as const;

/**
 * An action in a run. Both functions are repeated with the same keys if the core is lost before it answers.
 */
interface Wish<F> {
  readonly flags: { readonly wait: boolean; readonly detach: boolean };
  readonly find: (link: Link) => Promise<Result<F & { readonly runId: number; readonly afterSeq: number }>>;
  /** Returns the message, and additional data for programs. */
  readonly work: (link: Link, found: F) => Promise<Result<{ readonly text: string }>>;
}

/**
 * Performs an action in a run. If no other Muster works on the run, this one continues it until it is idle.
 */
export async function actOn<F>(context: Context, { flags, find, work }: Wish<F>): Promise<Result<ExitCode>> {
  const mode = flags.detach ? 'background' : 'working';
  const done = await withCore(context, { mode }, async (link) => {
    const found = await find(link);
    if (!found.ok) return found;
    const { runId, afterSeq } = found.value;
    await link.takeUp([runId]);
    const outcome = await work(link, found.value);
    return outcome.ok ? ok({ reply: outcome.value, runId, afterSeq }) : outcome;
  });
  if (!done.ok) return done;
  const { link, value } = done.value;
  const { reply, runId, afterSeq } = value;
  if (link.kind === 'attached' && !flags.wait) {
    context.out.document({ runId, ...reply }, () => [reply.text]);
    return ok(EXIT.ok);
  }
  context.out.record({ kind: 'done', runId, ...reply }, () => [reply.text]);
  return waitForRun(context, { link, runId, throughGates: flags.wait, afterSeq });
}
