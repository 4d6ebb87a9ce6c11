import type { Clock } from '../core/ports/ports';

interface Silence {
  /** Something was heard. */
  heard(): void;
  end(): void;
}

/** Calls back once when nothing was heard for `minutes`; null waits for ever. */
export function watchSilence(clock: Clock, minutes: number | null, tooLong: () => void): Silence {
  if (minutes === null) return { heard: () => {}, end: () => {} };
  const limit = minutes * 60_000;
  let last = clock.now();
  let cancel = clock.at(last + limit, check);
  // A stream says much: the timer is set anew only where it comes due, not at each word.
  function check(): void {
    const due = last + limit;
    if (clock.now() >= due) tooLong();
    else cancel = clock.at(due, check);
  }
  return {
    heard: () => {
      last = clock.now();
    },
    end: () => cancel(),
  };
}
