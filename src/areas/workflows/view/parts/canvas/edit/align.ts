import type { Size } from '../graph/ports';
import type { Point } from '../layout/place';

export type Box = Point & Size;

/** The ways to align the selected steps, with their labels in the list. */
export const ALIGNMENTS = [
  { id: 'left', title: 'Left edges' },
  { id: 'right', title: 'Right edges' },
  { id: 'top', title: 'Top edges' },
  { id: 'bottom', title: 'Bottom edges' },
  { id: 'column', title: 'Centers in a column' },
  { id: 'row', title: 'Centers in a row' },
  { id: 'across', title: 'Equal gaps from left to right' },
  { id: 'down', title: 'Equal gaps from top to bottom' },
] as const;
export type Alignment = (typeof ALIGNMENTS)[number]['id'];

/** The positions of the steps after the alignment. With equal gaps, the outermost steps keep theirs. */
export function alignedPlaces(boxes: ReadonlyMap<string, Box>, how: Alignment): ReadonlyMap<string, Point> {
  if (boxes.size < 2) return new Map();
  if (how === 'across' || how === 'down') return spread(boxes, how === 'across');
  const all = [...boxes.values()];
  const left = Math.min(...all.map(({ x }) => x));
  const right = Math.max(...all.map(({ x, width }) => x + width));
  const top = Math.min(...all.map(({ y }) => y));
  const bottom = Math.max(...all.map(({ y, height }) => y + height));
  const place = ({ x, y, width, height }: Box): Point => {
    switch (how) {
      case 'left':
        return { x: left, y };
      case 'right':
        return { x: right - width, y };
      case 'top':
        return { x, y: top };
      case 'bottom':
        return { x, y: bottom - height };
      case 'column':
        return { x: Math.round((left + right - width) / 2), y };
      case 'row':
        return { x, y: Math.round((top + bottom - height) / 2) };
    }
  };
  return new Map([...boxes].map(([key, box]) => [key, place(box)]));
}

function spread(boxes: ReadonlyMap<string, Box>, across: boolean): ReadonlyMap<string, Point> {
  const from = ({ x, y }: Box) => (across ? x : y);
  const size = ({ width, height }: Box) => (across ? width : height);
  const sorted = [...boxes].sort(([, a], [, b]) => from(a) - from(b));
  const [first, last] = [sorted[0]?.[1], sorted.at(-1)?.[1]];
  if (first === undefined || last === undefined) return new Map();
  const used = sorted.reduce((sum, [, box]) => sum + size(box), 0);
  const gap = (from(last) + size(last) - from(first) - used) / (sorted.length - 1);
  let at = from(first);
  return new Map(
    sorted.map(([key, box]) => {
      const point = across ? { x: Math.round(at), y: box.y } : { x: box.x, y: Math.round(at) };
      at += size(box) + gap;
      return [key, point];
    }),
  );
}
