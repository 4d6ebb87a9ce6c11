import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '@contract/result';
import { REOPEN_MS, REOPEN_PAUSE_MS } from '../../limits/command-line';
import type { Context } from '../command';
import type { Link } from '../link/link';
import { isLost } from './follow';

/**
 * Reads something about a run that has ended. The core that had it may be shutting down: then the next one is asked,
 * perhaps our own, which resumes nothing. Where the core is still there, its answer is the result.
 */
export async function readAtEnd<T>(
  { open, stop }: Pick<Context, 'open' | 'stop'>,
  link: Link,
  read: (link: Link) => Promise<Result<T>>,
): Promise<Result<T>> {
  const until = Date.now() + REOPEN_MS;
  for (let core = link; ; ) {
    const found = await read(core);
    if (found.ok || found.error.code !== 'unavailable' || !(await isLost(core))) return found;
    if (stop.aborted || Date.now() >= until) return found;
    if (core !== link) await sleep(REOPEN_PAUSE_MS, undefined, { signal: stop }).catch(() => undefined);
    const opened = await open({ mode: 'reading' });
    if (!opened.ok) return opened;
    core = opened.value;
  }
}
