import { useEffect, useRef, useState } from 'react';
import { TYPING_SETTLED_MS } from '../limits';

/** A value once it has not changed for a moment; values are the same where they hold the same. */
export function useSettled<T>(value: T): T {
  const key = JSON.stringify(value);
  const [settled, settle] = useState(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: compared by what it holds
  useEffect(() => {
    const timer = setTimeout(() => settle(value), TYPING_SETTLED_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return settled;
}

/** The last value that was there, until the next is: nothing flickers, or refuses a click, while it is read again. */
export function useLast<T>(value: T | null): T | null {
  const last = useRef(value);
  if (value !== null) last.current = value;
  return last.current;
}
