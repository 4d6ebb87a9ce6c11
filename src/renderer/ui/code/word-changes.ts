import { diffWordsWithSpace } from 'diff';

/** A part of a line, by the positions of its characters. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** In longer lines no reader looks for the words that changed. */
const LONGEST_LINE = 600;
/** With less in common than this the lines are different ones, and marking nearly all of both says nothing. */
const LEAST_COMMON = 0.35;

/** The words that differ between two versions of a line; null if they have too little in common. */
export function wordChanges(
  old: string,
  fresh: string,
): { readonly old: readonly TextRange[]; readonly fresh: readonly TextRange[] } | null {
  if (old.length > LONGEST_LINE || fresh.length > LONGEST_LINE) return null;
  const ranges = { old: [] as TextRange[], fresh: [] as TextRange[] };
  let [i, j, common] = [0, 0, 0];
  for (const { value, added, removed } of diffWordsWithSpace(old, fresh)) {
    const { length } = value;
    if (removed) ranges.old.push({ from: i, to: i + length });
    if (added) ranges.fresh.push({ from: j, to: j + length });
    if (!added) i += length;
    if (!removed) j += length;
    if (!added && !removed) common += value.trim().length;
  }
  const longest = Math.max(old.trim().length, fresh.trim().length);
  return longest === 0 || common / longest < LEAST_COMMON ? null : ranges;
}
