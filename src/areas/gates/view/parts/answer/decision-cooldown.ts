import { CARD_REST_MS } from '@renderer/limits';
import { useEffect, useRef, useState } from 'react';

/** When this window last sent a decision: the next press was not meant for the card that replaced it. */
let decidedAt = Number.NEGATIVE_INFINITY;

export const decided = (now = performance.now()): void => {
  decidedAt = now;
};

export const isCoolingDown = (shownAt: number, now = performance.now()): boolean =>
  now - Math.max(shownAt, decidedAt) < CARD_REST_MS;

/** Whether a card is too new to be decided on. `card` identifies what is shown and what its keys do. */
export function useCooldown(card: string): {
  readonly resting: boolean;
  readonly isCoolingDown: () => boolean;
} {
  const shown = useRef({ card, at: performance.now() });
  const [rested, setRested] = useState<string | null>(null);
  if (shown.current.card !== card) shown.current = { card, at: performance.now() };
  useEffect(() => {
    const left = CARD_REST_MS - (performance.now() - Math.max(shown.current.at, decidedAt));
    const timer = setTimeout(() => setRested(card), Math.max(0, left));
    return () => clearTimeout(timer);
  }, [card]);
  return { resting: rested !== card, isCoolingDown: () => isCoolingDown(shown.current.at) };
}
