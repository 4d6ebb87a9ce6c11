import { useEffect, useState } from 'react';
import type { Coloured } from './highlight';
import { languageOf } from './highlight-language';

type Colours = readonly (readonly Coloured[])[];

/**
 * The lines of a file in colours once they are there; null until then, and where there are none. The highlighter is
 * read when it is first needed, and works when the window has nothing else to do.
 */
export function useHighlight(path: string, lines: readonly string[]): Colours | null {
  const [found, setFound] = useState<{ lines: readonly string[]; colours: Colours | null } | null>(null);
  useEffect(() => {
    const language = languageOf(path);
    if (language === null || lines.length === 0) return;
    let over = false;
    const idle = requestIdleCallback(() => {
      void import('./highlight').then(({ highlightLines }) => {
        if (!over) setFound({ lines, colours: highlightLines(language, lines) });
      });
    });
    return () => {
      over = true;
      cancelIdleCallback(idle);
    };
  }, [path, lines]);
  // The pieces hold the text itself: those of other lines would be a lie.
  return found?.lines === lines ? found.colours : null;
}
