import { useCallback, useState } from 'react';

const PREFIX = 'muster.kept.';

/**
 * A state of a view that survives a reload of the window, such as which groups are open. It lasts as long as
 * the window. `read` parses the saved value, or null.
 */
export function useSessionState<T>(
  key: string,
  read: (kept: unknown) => T,
  kept: (value: T) => unknown,
): [T, (next: T | ((now: T) => T)) => void] {
  const [value, setValue] = useState(() => read(load(key)));
  const set = useCallback(
    (next: T | ((now: T) => T)) =>
      setValue((now) => {
        const made = typeof next === 'function' ? (next as (now: T) => T)(now) : next;
        save(key, kept(made));
        return made;
      }),
    [key, kept],
  );
  return [value, set];
}

function load(key: string): unknown {
  try {
    return JSON.parse(window.sessionStorage.getItem(PREFIX + key) ?? 'null');
  } catch {
    return null;
  }
}

/** If there is no space in the store, a reload shows the view in its initial state. */
function save(key: string, value: unknown): void {
  try {
    if (value === null) window.sessionStorage.removeItem(PREFIX + key);
    else window.sessionStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {}
}

const strings = (kept: unknown): string[] | null =>
  Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : null;

const listOf = (set: ReadonlySet<string>): string[] => [...set];

/** A set of names, such as the open groups of a canvas; `first` returns the initial names. */
export function useKeptSet(key: string, first: () => Iterable<string> = () => []) {
  return useSessionState<ReadonlySet<string>>(key, (kept) => new Set(strings(kept) ?? first()), listOf);
}
