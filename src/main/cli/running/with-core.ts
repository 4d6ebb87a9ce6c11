import type { AppError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { CORE_LOST_MS } from '../../limits/command-line';
import type { Context, OpenOptions } from '../command';
import type { Link } from '../link/link';
import { isLost } from './follow';

/**
 * Sends a request to a core. If that core ends before answering, the next one, perhaps our own, is asked. It
 * is unknown whether the first executed it, so `work` is told that it is a repetition, and must execute it
 * only once.
 */
export async function withCore<T>(
  context: Pick<Context, 'open' | 'out' | 'stop'>,
  options: OpenOptions,
  work: (link: Link, again: boolean) => Promise<Result<T>>,
): Promise<Result<{ readonly link: Link; readonly value: T }>> {
  for (let [again, until] = [false, Number.POSITIVE_INFINITY]; ; again = true) {
    const opened = await context.open(options);
    if (!opened.ok) return again ? err(unknownEnd(opened.error)) : opened;
    const done = await work(opened.value, again);
    if (done.ok) return ok({ link: opened.value, value: done.value });
    if (context.stop.aborted || Date.now() > until || !(await wasLost(opened.value, done.error))) return done;
    until = Math.min(until, Date.now() + CORE_LOST_MS);
    context.out.note('The core stopped before it answered; looking for another one.');
  }
}

const wasLost = async (link: Link, { code }: AppError): Promise<boolean> =>
  code === 'unavailable' && (await isLost(link));

const unknownEnd = (error: AppError): AppError => ({
  ...error,
  message: `${error.message} (the core ended before it answered; it may have done it)`,
});
