import { useEffect, useState } from 'react';
import type { Coloured } from './highlight';
import { languageOf } from './highlight-language';

type Colours = readonly (readonly Coloured[])[];

/**
 * The highlighted lines of a file; null until they are ready, or if there are none. The highlighter is loaded
 * on first use, and works when the window is idle.
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
  // The pieces contain the text itself: those of other lines would be wrong.
  return found?.lines === lines ? found.colours : null;
}
