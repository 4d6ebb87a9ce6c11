import { useEffect, useMemo, useState } from 'react';
import { Throttle } from './throttle';

/** A value that changes often, updated at most once per interval (`Throttle`). At 0 the value itself. */
export function usePaced<T>(value: T, everyMs: number): T {
  const [shown, setShown] = useState(value);
  const pace = useMemo(
    () => (everyMs > 0 ? new Throttle<T>(everyMs, (next) => setShown(() => next)) : null),
    [everyMs],
  );
  useEffect(() => pace?.offer(value), [pace, value]);
  useEffect(() => () => pace?.end(), [pace]);
  return pace === null ? value : shown;
}
