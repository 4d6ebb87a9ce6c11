import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '@contract/result';
import { REOPEN_MS, REOPEN_PAUSE_MS } from '../../limits/command-line';
import type { Context } from '../command';
import type { Link } from '../link/link';

/**
 * Reads something about a run that has ended. The core that had it may be shutting down: then the next one is asked,
 * perhaps our own, which resumes nothing.
 */
export async function readAtEnd<T>(
  { open, stop }: Pick<Context, 'open' | 'stop'>,
  link: Link,
  read: (link: Link) => Promise<Result<T>>,
): Promise<Result<T>> {
  let found = await read(link);
  for (const until = Date.now() + REOPEN_MS; isGone(found) && !stop.aborted && Date.now() < until; ) {
    const opened = await open({ mode: 'reading' });
    if (!opened.ok) return opened;
    found = await read(opened.value);
    if (isGone(found)) await sleep(REOPEN_PAUSE_MS, undefined, { signal: stop }).catch(() => undefined);
  }
  return found;
}

const isGone = (found: Result<unknown>): boolean => !found.ok && found.error.code === 'unavailable';
