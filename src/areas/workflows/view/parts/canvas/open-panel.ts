import { useHandlers } from '@renderer/client/hooks';
import { registry } from '@renderer/client/wire/window';
import { useCallback, useEffect, useRef } from 'react';

/** A panel must be drawn within this many frames. */
const MOST_FRAMES = 60;

/** Focuses the first field of a panel once it is drawn. */
export function useFirstField(): (panel: string) => void {
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  return useCallback((panel) => {
    if (document.querySelector('[data-part="column-side"]') === null) registry.run('frame.side');
    const look = (left: number) => {
      const field = document.querySelector<HTMLElement>(`${panel} :is(input, textarea, select)`);
      if (field !== null) field.focus();
      else if (left > 0) frame.current = requestAnimationFrame(() => look(left - 1));
    };
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => look(MOST_FRAMES));
  }, []);
}

/** Shows the panel of a step and focuses its first field. */
export function useOpenStep(onStep: (key: string) => void): (key: string) => void {
  const toField = useFirstField();
  return useCallback(
    (key) => {
      onStep(key);
      const id = key.slice(key.lastIndexOf('/') + 1);
      toField(`[data-part="step-panel"][aria-label="${CSS.escape(`Step ${id}`)}"]`);
    },
    [onStep, toField],
  );
}

const PANELS = '[data-part="step-panel"], [data-part="workflow-panel"]';

/** Esc in the panel of a step or of the workflow returns the focus to where the panel was opened. */
export function useBack(back: () => void): void {
  useHandlers({ 'canvas.back': back }, () => document.activeElement?.closest(PANELS) != null);
}
