import { useEffect, useMemo, useReducer, useRef } from 'react';
import { useDraft } from '../../client/hooks';
import { Typing, type TypingParts } from './typing';

/** The text of a field; `place` names it among what is kept when the page is loaded again. */
export function useTyping(
  place: string,
  { value, whole, commit }: Pick<TypingParts, 'value' | 'whole' | 'commit'>,
): Typing {
  const [kept, keep] = useDraft(place);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const now = useRef({ commit, keep });
  now.current = { commit, keep };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept and the value count when a place is first shown
  const typing = useMemo(
    () =>
      new Typing({
        ...{ kept, value, whole, changed: draw },
        keep: (text) => now.current.keep(text),
        commit: (text) => now.current.commit(text),
      }),
    [place],
  );
  useEffect(() => typing.take(value), [typing, value]);
  useEffect(() => {
    const keepIt = () => typing.keep();
    window.addEventListener('pagehide', keepIt);
    return () => {
      window.removeEventListener('pagehide', keepIt);
      typing.leave();
    };
  }, [typing]);
  return typing;
}
