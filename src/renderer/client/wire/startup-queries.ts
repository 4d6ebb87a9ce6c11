import { feedWindow, openGates } from '../lists/lists';
import { parseRoute } from '../route';
import type { Readable } from '../store';
import { query } from './query';

type Answered = Readable<{ readonly status: 'loading' | 'ready' | 'failed' }>;

/**
 * Reads the data of an address's first picture, which the preload has already requested; resolves when all is
 * answered. Drawing once with all data is faster than drawing an empty page first.
 */
export async function readFirst(hash: string): Promise<void> {
  const route = parseRoute(hash);
  const wanted: Answered[] = [query('project.list', {}), openGates];
  const isWholeFeed = route.path.length === 1 && Object.keys(route.query).length === 0;
  if (route.path[0] === 'feed' && isWholeFeed) wanted.push(feedWindow({}).view);
  await Promise.all(wanted.map(answered));
}

/** Its store stays subscribed a while after this reader, until the picture's own readers subscribe. */
function answered(readable: Answered): Promise<void> {
  return new Promise((resolve) => {
    const stop = readable.subscribe(() => {
      if (readable.get().status === 'loading') return;
      stop();
      resolve();
    });
  });
}
