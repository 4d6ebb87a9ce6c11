/** The positions of rows with one height. */
export interface Places {
  /** Number of rows above the first for which space is reserved. */
  readonly base: number;
  readonly count: number;
  readonly height: number;
}

export const topOf = (places: Places, index: number): number => (places.base + index) * places.height;

export const totalOf = (places: Places): number => topOf(places, places.count);

/** The visible rows in a vertical range: the index of the first, and the one after the last. */
export function seen(
  { base, count, height }: Places,
  top: number,
  bottom: number,
): { from: number; to: number } {
  const clamp = (y: number): number => Math.min(count, Math.max(0, Math.floor(y / height) - base));
  return { from: clamp(top), to: clamp(bottom + height) };
}
