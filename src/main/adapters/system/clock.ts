import type { Clock } from '../../core/ports/ports';
import { LONGEST_DELAY_MS } from '../../limits/core';

export interface SystemClock extends Clock {
  /** Checks all timers again: after a sleep of the machine they may be late. */
  wake(): void;
}

export function createClock(): SystemClock {
  const waiting = new Set<{ at: number; run: () => void; handle: NodeJS.Timeout | null }>();
  type Entry = typeof waiting extends Set<infer E> ? E : never;
  const arm = (entry: Entry): void => {
    if (entry.handle !== null) clearTimeout(entry.handle);
    const delay = entry.at - Date.now();
    entry.handle = setTimeout(
      () => {
        if (Date.now() < entry.at) return arm(entry);
        waiting.delete(entry);
        entry.run();
      },
      Math.min(Math.max(delay, 0), LONGEST_DELAY_MS),
    );
  };
  return {
    now: () => Date.now(),
    at(at, run) {
      const entry: Entry = { at, run, handle: null };
      waiting.add(entry);
      arm(entry);
      return () => {
        if (entry.handle !== null) clearTimeout(entry.handle);
        waiting.delete(entry);
      };
    },
    wake() {
      for (const entry of [...waiting]) arm(entry);
    },
  };
}
