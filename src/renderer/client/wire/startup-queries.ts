import { feedWindow, openGates } from '../lists/lists';
import { parseRoute } from '../route';
import type { Readable } from '../store';
import { query } from './query';

type Answered = Readable<{ readonly status: 'loading' | 'ready' | 'failed' }>;

/**
 * Reads what the first picture of an address is made of, as the preload has asked it already; resolves when all of it
 * is answered. Drawn once with all of it, the picture is there sooner than drawn empty and then filled.
 */
export async function readFirst(hash: string): Promise<void> {
  const route = parseRoute(hash);
  const wanted: Answered[] = [query('project.list', {}), openGates];
  const isWholeFeed = route.path.length === 1 && Object.keys(route.query).length === 0;
  if (route.path[0] === 'feed' && isWholeFeed) wanted.push(feedWindow({}).view);
  await Promise.all(wanted.map(answered));
}

/** Its store stays up for a while after this reader, until those of the picture look at it. */
function answered(readable: Answered): Promise<void> {
  return new Promise((resolve) => {
    const stop = readable.subscribe(() => {
      if (readable.get().status === 'loading') return;
      stop();
      resolve();
    });
  });
}
