import { useEffect, useMemo, useState } from 'react';
import { Pace } from './pace';

/** A value that changes often, shown at most once in this time (`Pace`). At 0 it is the value itself. */
export function usePaced<T>(value: T, everyMs: number): T {
  const [shown, setShown] = useState(value);
  const pace = useMemo(
    () => (everyMs > 0 ? new Pace<T>(everyMs, (next) => setShown(() => next)) : null),
    [everyMs],
  );
  useEffect(() => pace?.offer(value), [pace, value]);
  useEffect(() => () => pace?.end(), [pace]);
  return pace === null ? value : shown;
}
