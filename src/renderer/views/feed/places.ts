/** Where rows of one height are drawn, of which one may be unfolded. */
export interface Places {
  /** Rows that are kept room for above the first. */
  readonly base: number;
  readonly count: number;
  readonly height: number;
  /** The unfolded row and its height. */
  readonly open: { readonly index: number; readonly height: number } | null;
}

const extra = ({ open, height }: Places): number => (open === null ? 0 : open.height - height);

export const topOf = (places: Places, index: number): number =>
  (places.base + index) * places.height +
  (places.open !== null && index > places.open.index ? extra(places) : 0);

export const heightOf = ({ open, height }: Places, index: number): number =>
  open?.index === index ? open.height : height;

export const totalOf = (places: Places): number => topOf(places, places.count);

/** The rows that are seen between two heights: the first, and the one after the last. */
export function seen(places: Places, top: number, bottom: number): { from: number; to: number } {
  const at = (y: number): number => {
    const folded = Math.floor(y / places.height) - places.base;
    if (places.open === null || folded <= places.open.index) return folded;
    const behind = Math.floor((y - extra(places)) / places.height) - places.base;
    return Math.max(places.open.index, behind);
  };
  const clamp = (index: number): number => Math.min(places.count, Math.max(0, index));
  return { from: clamp(at(top)), to: clamp(at(bottom) + 1) };
}
