import { SLOW_DISK_MS } from '../limits/core';
import type { Trouble } from './trouble';

const NOT_ANSWERING: Trouble = {
  trouble: 'the file system did not answer in time',
  mend: 'check that the disk or network share of the project is available, then try again',
};

interface Root {
  last: Promise<unknown>;
  /** A call timed out: while it hangs, nothing else is requested from this root. */
  stuck: boolean;
  waiting: number;
}

const roots = new Map<string, Root>();

/**
 * One call at a time per root, each with a timeout. Node has four file threads: a hanging network share
 * occupies one of them, and further requests to it fail immediately instead of occupying the others.
 */
export async function oneAtATime<T>(
  path: string,
  work: () => Promise<T>,
  longestMs = SLOW_DISK_MS,
): Promise<T | Trouble> {
  const root = roots.get(path) ?? { last: Promise.resolve(), stuck: false, waiting: 0 };
  roots.set(path, root);
  if (root.stuck) return NOT_ANSWERING;
  root.waiting += 1;
  const before = root.last;
  const mine = before.then(() => (root.stuck ? NOT_ANSWERING : timed(root, work, longestMs)));
  root.last = mine.catch(() => undefined);
  try {
    return await mine;
  } finally {
    root.waiting -= 1;
    if (root.waiting === 0 && !root.stuck) roots.delete(path);
  }
}

function timed<T>(root: Root, work: () => Promise<T>, longestMs: number): Promise<T | Trouble> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      root.stuck = true;
      resolve(NOT_ANSWERING);
    }, longestMs);
    late.unref();
    work()
      .finally(() => {
        clearTimeout(late);
        root.stuck = false;
      })
      .then(resolve, reject);
  });
}
