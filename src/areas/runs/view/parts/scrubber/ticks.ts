import type { Mark, MarkKind } from '@contract/run/marks';

/** Marks closer than this share of the line are drawn as one. */
const PLACES = 240;

/** The priority of marks that share one place. */
const ORDER: readonly MarkKind[] = ['failure', 'restart', 'gate', 'retry', 'end'];

interface Tick {
  /** From 0 to 100, along the line. */
  readonly percent: number;
  readonly kind: MarkKind;
  readonly seq: number;
  readonly title: string;
}

/** The marks of a history on a line of `last` events. */
export function ticksOf(marks: readonly Mark[], last: number): Tick[] {
  const places = new Map<number, Mark[]>();
  for (const mark of marks) {
    if (mark.seq > last) continue;
    const place = Math.round(share(mark.seq, last) * PLACES);
    const there = places.get(place);
    if (there === undefined) places.set(place, [mark]);
    else there.push(mark);
  }
  return [...places.values()].flatMap((there) => {
    const [worst] = there.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
    if (worst === undefined) return [];
    const more = there.length > 1 ? ` (and ${there.length - 1} more)` : '';
    return [{ ...worst, percent: share(worst.seq, last) * 100, title: worst.title + more }];
  });
}

export const share = (seq: number, last: number): number => (last <= 1 ? 1 : (seq - 1) / (last - 1));

/** The nearest mark after an event, or before it. */
export function nextMark(marks: readonly Mark[], seq: number, way: 1 | -1): number | null {
  const found = way === 1 ? marks.find((mark) => mark.seq > seq) : marks.findLast((mark) => mark.seq < seq);
  return found?.seq ?? null;
}
