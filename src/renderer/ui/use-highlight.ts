import { useEffect, useState } from 'react';
import type { Coloured } from './highlight';
import { languageOf } from './highlight-language';

/**
 * The lines of a file in colours once they are there; null until then, and where there are none. The highlighter is
 * read when it is first needed, and works when the window has nothing else to do.
 */
export function useHighlight(
  path: string,
  lines: readonly string[],
): readonly (readonly Coloured[])[] | null {
  const [coloured, setColoured] = useState<readonly (readonly Coloured[])[] | null>(null);
  useEffect(() => {
    const language = languageOf(path);
    if (language === null || lines.length === 0) return;
    let over = false;
    const idle = requestIdleCallback(() => {
      void import('./highlight').then(({ highlightLines }) => {
        if (!over) setColoured(highlightLines(language, lines));
      });
    });
    return () => {
      over = true;
      cancelIdleCallback(idle);
    };
  }, [path, lines]);
  return coloured;
}
