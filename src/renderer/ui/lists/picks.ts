interface PickedRow {
  readonly key: string;
  readonly heading?: boolean;
}

/** Rows picked for an action on all of them, and the row that a range starts from. */
export interface Picks {
  readonly keys: ReadonlySet<string>;
  readonly anchor: string | null;
}

export const NO_PICKS: Picks = { keys: new Set(), anchor: null };

/** Picks a row, or drops it. */
export function toggled({ keys }: Picks, key: string): Picks {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return { keys: next, anchor: key };
}

/** Picks all rows from the anchor to a row; without an anchor, from `current`. */
export function extended(
  picks: Picks,
  rows: readonly PickedRow[],
  range: { current: string | null; to: string },
): Picks {
  const anchor = picks.anchor ?? range.current ?? range.to;
  const ends = [anchor, range.to].map((key) => rows.findIndex((row) => row.key === key));
  const from = Math.min(...ends);
  // The anchor has left the list.
  if (from < 0) return { keys: new Set([range.to]), anchor: range.to };
  const between = rows.slice(from, Math.max(...ends) + 1).filter(({ heading }) => heading !== true);
  return { keys: new Set(between.map(({ key }) => key)), anchor };
}
