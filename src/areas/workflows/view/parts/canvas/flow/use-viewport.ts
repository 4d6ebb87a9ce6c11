import { useSessionState } from '@renderer/ui/use-session-state';
import type { Viewport } from '@xyflow/react';
import { type RefObject, useEffect, useRef, useState } from 'react';

/** The visible part of the canvas, saved for a reload. */
interface Seen extends Viewport {
  /** The step that was selected then. */
  readonly active: string | null;
}

/** `whole`: the operator asked for all of it. Null: the canvas is seen as it is at first. */
type Kept = Seen | 'whole' | null;

function readSeen(kept: unknown): Kept {
  if (kept === 'whole') return kept;
  const { x, y, zoom, active } = (kept ?? {}) as Partial<Record<keyof Seen, unknown>>;
  if (![x, y, zoom].every(Number.isFinite)) return null;
  return { x, y, zoom, active: typeof active === 'string' ? active : null } as Seen;
}

const asIs = (seen: Kept): unknown => seen;

export interface KeptViewport {
  /** Where the canvas was when it was last shown; null where the operator chose no part of it. */
  readonly first: Viewport | null;
  /** Whether the initially selected step is the one that was selected then. */
  readonly isSame: boolean;
  /** Whether the operator chose what is in sight: another size then does not change it. */
  readonly touched: RefObject<boolean>;
  /** Whether all is in sight, as long as nothing was touched. */
  readonly whole: RefObject<boolean>;
  readonly onMoveEnd: (event: unknown, viewport: Viewport) => void;
  /** The whole workflow is visible again. */
  readonly onFit: () => void;
}

/** Keeps the visible part of a canvas while other views are shown, and over a reload. */
export function useViewport(place: string, active: string | null): KeptViewport {
  const [seen, keep] = useSessionState<Kept>(`${place}/seen`, readSeen, asIs);
  const touched = useRef(seen !== null && seen !== 'whole');
  const whole = useRef(seen === 'whole');
  const latest = useRef(active);
  latest.current = active;
  // A step selected by a click is already visible.
  useEffect(() => {
    keep((now) => (now === null || now === 'whole' || now.active === active ? now : { ...now, active }));
  }, [active, keep]);
  const [kept] = useState(
    (): KeptViewport => ({
      first: seen === 'whole' ? null : seen,
      isSame: seen !== 'whole' && seen?.active === active,
      touched,
      whole,
      onMoveEnd: (_, { x, y, zoom }) => {
        if (touched.current) keep({ x, y, zoom, active: latest.current });
      },
      onFit: () => {
        touched.current = false;
        whole.current = true;
        keep('whole');
      },
    }),
  );
  return kept;
}
