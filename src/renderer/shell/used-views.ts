/** The key of the layout that holds the views that the operator has opened. */
export const USED_VIEWS = 'rail.used';

/** An unreadable value is none. */
export const usedViews = (kept: unknown): ReadonlySet<string> =>
  new Set(Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : []);

/** The list with this view too; null if it is there already. */
export function withUsed(kept: unknown, view: string): string[] | null {
  const used = usedViews(kept);
  return used.has(view) ? null : [...used, view];
}
