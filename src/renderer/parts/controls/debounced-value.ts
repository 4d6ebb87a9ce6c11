import { useEffect, useRef, useState } from 'react';
import { TYPING_SETTLED_MS } from '../../limits';

/** A value once it has not changed for a moment; values are compared by content. */
export function useDebounced<T>(value: T): T {
  const key = JSON.stringify(value);
  const [settled, settle] = useState(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: compared by content
  useEffect(() => {
    const timer = setTimeout(() => settle(value), TYPING_SETTLED_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return settled;
}

/** The last value, until the next one arrives: nothing flickers or rejects a click during a read. */
export function useLast<T>(value: T | null): T | null {
  const last = useRef(value);
  if (value !== null) last.current = value;
  return last.current;
}
