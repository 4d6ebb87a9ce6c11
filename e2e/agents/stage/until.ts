import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 60_000;

/** The first thing that `look` finds. */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(25)) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`waited ${patienceMs} ms in vain for ${what}`);
}
