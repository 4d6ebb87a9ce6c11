import { useReadable } from '@renderer/client/hooks';
import { jumps, leadsTo } from '@renderer/client/keys/jump';
import { type RefObject, useEffect, useState } from 'react';
import { shown } from '../../../../contract/apply-edit';
import type { StepPath, ValuePath } from '../../../../contract/edit';

/** The field that a problem led to, by its place in the step. */
export interface ProblemField {
  readonly path: ValuePath;
  /** The message of the problem. */
  readonly message: string;
}

interface PanelPlace {
  readonly projectId: number;
  readonly file: string;
  readonly step: StepPath;
}

/**
 * A collapsed group is expanded and an editor loaded within this many frames; otherwise the surrounding area
 * is focused.
 */
const FRAMES_OF_FIELD = 30;

/** Handles a jump into this form, and focuses its field once that is rendered. */
export function useWanted(
  panel: RefObject<HTMLElement | null>,
  { projectId, file, step }: PanelPlace,
  ready: boolean,
): ProblemField | null {
  const jump = useReadable(jumps);
  const [wanted, want] = useState<ProblemField | null>(null);
  const key = step.join('/');
  useEffect(() => {
    if (!ready || !leadsTo(jump, { projectId, file }, 'field') || jump.aim.kind !== 'field') return;
    if (jump.aim.step.join('/') !== key) return;
    jumps.set(null);
    want({ path: jump.aim.path, message: jump.problem.message });
  }, [ready, jump, projectId, file, key]);
  useEffect(() => {
    if (wanted === null) return;
    let frame = 0;
    const look = (left: number) => {
      const field = fieldAt(panel.current, wanted.path, left > 0);
      if (field === null && left > 0) frame = requestAnimationFrame(() => look(left - 1));
      field?.scrollIntoView({ block: 'nearest' });
      field?.focus({ preventScroll: true });
    };
    frame = requestAnimationFrame(() => look(FRAMES_OF_FIELD));
    return () => cancelAnimationFrame(frame);
  }, [wanted, panel]);
  return wanted;
}

const FIELDS = ':is(input, textarea, select, [data-part="template-editor"], button)';

/** The element of the value at a path of the step, or of the longest prefix of the path that has a field. */
function fieldAt(panel: HTMLElement | null, path: ValuePath, exact: boolean): HTMLElement | null {
  for (let length = path.length; length > 0; length -= 1) {
    const place = `[data-path="${CSS.escape(shown(path.slice(0, length)))}"]`;
    const field = panel?.querySelector<HTMLElement>(`${place}${FIELDS}, ${place} ${FIELDS}`);
    if (field != null) return field;
    if (exact) return null;
  }
  return panel?.querySelector<HTMLElement>(FIELDS) ?? null;
}
