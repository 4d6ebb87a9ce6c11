import type { Viewport } from '@xyflow/react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useKept } from '../../ui/use-kept';

/** What part of the canvas the operator looks at, as it is kept for a reload. */
interface Seen extends Viewport {
  /** The step that was chosen then. */
  readonly active: string | null;
}

function readSeen(kept: unknown): Seen | null {
  const { x, y, zoom, active } = (kept ?? {}) as Partial<Record<keyof Seen, unknown>>;
  if (![x, y, zoom].every(Number.isFinite)) return null;
  return { x, y, zoom, active: typeof active === 'string' ? active : null } as Seen;
}

const asIs = (seen: Seen | null): unknown => seen;

export interface KeptViewport {
  /** Where the canvas was when it was last shown; null where all of it was in sight. */
  readonly first: Viewport | null;
  /** Whether the step that is chosen at first is the one that was chosen then. */
  readonly isSame: boolean;
  /** Whether the operator chose what is in sight: the whole is then not fitted in by itself. */
  readonly touched: RefObject<boolean>;
  readonly onMoveEnd: (event: unknown, viewport: Viewport) => void;
  /** All is in sight again. */
  readonly onFit: () => void;
}

/** Keeps what part of a canvas is in sight while other views are shown, and over a reload. */
export function useViewport(place: string, active: string | null): KeptViewport {
  const [seen, keep] = useKept<Seen | null>(`${place}/seen`, readSeen, asIs);
  const touched = useRef(seen !== null);
  const latest = useRef(active);
  latest.current = active;
  // What is chosen by a click is in sight already.
  useEffect(() => {
    keep((now) => (now === null || now.active === active ? now : { ...now, active }));
  }, [active, keep]);
  const [kept] = useState(
    (): KeptViewport => ({
      first: seen,
      isSame: seen?.active === active,
      touched,
      onMoveEnd: (_, { x, y, zoom }) => {
        if (touched.current) keep({ x, y, zoom, active: latest.current });
      },
      onFit: () => {
        touched.current = false;
        keep(null);
      },
    }),
  );
  return kept;
}
