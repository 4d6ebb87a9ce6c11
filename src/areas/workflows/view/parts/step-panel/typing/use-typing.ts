import { useDraft } from '@renderer/client/hooks';
import { useEffect, useReducer, useRef, useState } from 'react';
import { Typing, type TypingParts } from './typing';

type Parts = Pick<TypingParts, 'value' | 'whole' | 'commit' | 'current' | 'orphaned'>;

/**
 * The text of a field; `place` is its key in the storage that survives a reload. It changes only when the
 * step is renamed: a field of another step or path is mounted again.
 */
export function useTyping(place: string, parts: Parts): Typing {
  const { value } = parts;
  const [kept, keep] = useDraft(place);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const now = useRef({ ...parts, keep });
  now.current = { ...parts, keep };
  const [typing] = useState(
    () =>
      new Typing({
        kept,
        value,
        whole: parts.whole,
        changed: draw,
        keep: (text) => now.current.keep(text),
        commit: (text, over) => now.current.commit(text, over),
        current: () => now.current.current(),
        orphaned: (text) => now.current.orphaned(text),
      }),
  );
  useEffect(() => typing.take(value), [typing, value]);
  useEffect(() => {
    const keepIt = () => typing.keep();
    window.addEventListener('pagehide', keepIt);
    return () => {
      window.removeEventListener('pagehide', keepIt);
      typing.leave(true);
    };
  }, [typing]);
  return typing;
}
