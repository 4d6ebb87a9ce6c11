/** Replaces the text between `from` and `to` with `text`. */
export interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Beyond this many changed lines, everything between the first and the last counts as one change. */
const MOST_EDITS = 1_000;

/** The lines of a text with their line ends; joined, they give the text. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** The difference between two texts in whole lines, in order. */
export function hunksBetween(old: string, fresh: string): Hunk[] {
  const a = linesOf(old);
  const b = linesOf(fresh);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [was, is] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const kept = commonLines(was, is) ?? [];
  const offsets = offsetsOf(a);
  const hunks: Hunk[] = [];
  let [x, y] = [0, 0];
  for (const [nextX, nextY] of [...kept, [was.length, is.length] as const]) {
    if (nextX > x || nextY > y)
      hunks.push({
        from: offsets[start + x] ?? 0,
        to: offsets[start + nextX] ?? 0,
        text: is.slice(y, nextY).join(''),
      });
    [x, y] = [nextX + 1, nextY + 1];
  }
  return hunks;
}

function offsetsOf(lines: readonly string[]): number[] {
  const offsets = [0];
  for (const line of lines) offsets.push((offsets.at(-1) ?? 0) + line.length);
  return offsets;
}

/** Pairs of equal lines by Myers' greedy algorithm; null if there are too many differences. */
function commonLines(a: readonly string[], b: readonly string[]): (readonly [number, number])[] | null {
  const trace: Map<number, number>[] = [];
  let reached = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= Math.min(a.length + b.length, MOST_EDITS); edits += 1) {
    trace.push(reached);
    const next = new Map(reached);
    for (let k = -edits; k <= edits; k += 2) {
      let x = comesFromAbove(reached, k, edits) ? (reached.get(k + 1) ?? 0) : (reached.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return pairsOf(trace, { x: a.length, y: b.length });
    }
    reached = next;
  }
  return null;
}

const comesFromAbove = (reached: ReadonlyMap<number, number>, k: number, edits: number): boolean =>
  k === -edits || (k !== edits && (reached.get(k - 1) ?? 0) < (reached.get(k + 1) ?? 0));

function pairsOf(trace: readonly Map<number, number>[], at: { x: number; y: number }): [number, number][] {
  const pairs: [number, number][] = [];
  let { x, y } = at;
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const reached = trace[edits] ?? new Map<number, number>();
    const k = x - y;
    const before = comesFromAbove(reached, k, edits) ? k + 1 : k - 1;
    const startX = edits === 0 ? 0 : (reached.get(before) ?? 0);
    const startY = edits === 0 ? 0 : startX - before;
    while (x > startX && y > startY) {
      x -= 1;
      y -= 1;
      pairs.push([x, y]);
    }
    [x, y] = [startX, startY];
  }
  return pairs.reverse();
}

export function applyHunks(text: string, hunks: readonly Hunk[]): string {
  let at = 0;
  let result = '';
  for (const { from, to, text: put } of hunks) {
    result += text.slice(at, from) + put;
    at = to;
  }
  return result + text.slice(at);
}

/**
 * Merges two changes of a text that affect different lines; null if they affect the same or adjacent lines.
 */
export function mergeTexts(base: string, mine: string, theirs: string): string | null {
  const ownHunks = hunksBetween(base, mine);
  const others = hunksBetween(base, theirs);
  const same = (a: Hunk, b: Hunk) => a.from === b.from && a.to === b.to && a.text === b.text;
  const extra = others.filter((other) => !ownHunks.some((one) => same(one, other)));
  if (extra.some((other) => ownHunks.some((one) => one.from <= other.to && other.from <= one.to)))
    return null;
  return applyHunks(
    base,
    [...ownHunks, ...extra].sort((a, b) => a.from - b.from),
  );
}
