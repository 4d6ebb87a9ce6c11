import type { DiffHunk } from '../../../contract/procedures';

/** Positions in the lines of a hunk; -1: nothing on this side. */
interface Pairs {
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly count: number;
}

const known = new WeakMap<DiffHunk, Pairs>();

/**
 * The lines of a hunk old beside new: removed lines stand beside the added ones that follow them. Lines are
 * named by their position, so that a hunk of 50,000 lines takes a millisecond.
 */
export function pairsOf(hunk: DiffHunk): Pairs {
  const found = known.get(hunk) ?? paired(hunk.lines);
  known.set(hunk, found);
  return found;
}

function paired(lines: readonly string[]): Pairs {
  const left = new Int32Array(lines.length);
  const right = new Int32Array(lines.length);
  let count = 0;
  let olds: number[] = [];
  let news: number[] = [];
  let side: number[] | null = null;
  const flush = () => {
    for (let at = 0; at < Math.max(olds.length, news.length); at += 1) {
      left[count] = olds[at] ?? -1;
      right[count] = news[at] ?? -1;
      count += 1;
    }
    olds = [];
    news = [];
  };
  for (const [index, line] of lines.entries()) {
    const sign = line[0];
    // A note such as "No newline at end of file" belongs to the side of the line above it.
    if (sign === '\\' && side !== null) {
      side.push(index);
      continue;
    }
    if (sign === '-') {
      if (news.length > 0) flush();
      olds.push(index);
      side = olds;
    } else if (sign === '+') {
      news.push(index);
      side = news;
    } else {
      flush();
      left[count] = index;
      right[count] = index;
      count += 1;
      side = null;
    }
  }
  flush();
  return { left: left.subarray(0, count), right: right.subarray(0, count), count };
}

/** The line that stands beside another one, by position; null if none does. */
export function partnerOf({ left, right, count }: Pairs): (index: number) => number | null {
  const partners = new Map<number, number>();
  for (let at = 0; at < count; at += 1) {
    const [old = -1, fresh = -1] = [left[at], right[at]];
    if (old < 0 || fresh < 0 || old === fresh) continue;
    partners.set(old, fresh);
    partners.set(fresh, old);
  }
  return (index) => partners.get(index) ?? null;
}

interface Place {
  /** Positions of lines; of pairs of lines in the split view. */
  readonly from: number;
  readonly to: number;
  readonly split: boolean;
}

/** The positions of the lines that stand beside each other in some rows, and of all of them. */
export function placesOf(hunk: DiffHunk, { from, to, split }: Place) {
  const pairs = split ? pairsOf(hunk) : null;
  const rows: [number, number][] = [];
  for (let at = from; at < to; at += 1) rows.push([pairs?.left[at] ?? at, pairs?.right[at] ?? at]);
  return { rows, indices: rows.flat().filter((index) => index >= 0) };
}
