import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for any agent on a busy machine: a longer wait means that it hangs. */
const PATIENCE_MS = 240_000;

/** The first value that `look` finds. */
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
