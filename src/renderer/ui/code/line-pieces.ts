import type { Coloured } from './highlight';
import type { TextRange } from './word-changes';

interface Marks {
  /** The words that changed. */
  readonly changed: readonly TextRange[];
  /** What was searched for. */
  readonly found: readonly TextRange[];
}

/** The pieces of a line with the class names of their colour and of the marks that lie on them. */
export function linePieces(
  text: string,
  coloured: readonly Coloured[] | null,
  { changed, found }: Marks,
): readonly Coloured[] {
  const base = coloured === null || coloured.length === 0 ? [{ text, className: '' }] : coloured;
  if (changed.length === 0 && found.length === 0) return base;
  const cuts = [...changed, ...found].flatMap(({ from, to }) => [from, to]);
  const edges = [...new Set(cuts)].sort((a, b) => a - b);
  const isIn = (ranges: readonly TextRange[], at: number) =>
    ranges.some(({ from, to }) => from <= at && at < to);
  const pieces: Coloured[] = [];
  let at = 0;
  for (const { text: part, className } of base) {
    const end = at + part.length;
    const stops = [at, ...edges.filter((edge) => edge > at && edge < end), end];
    for (const [index, from] of stops.slice(0, -1).entries()) {
      const names = [className, isIn(changed, from) && 'diff-changed', isIn(found, from) && 'diff-found'];
      const to = stops[index + 1] ?? end;
      pieces.push({ text: part.slice(from - at, to - at), className: names.filter(Boolean).join(' ') });
    }
    at = end;
  }
  return pieces;
}

/** Where a text occurs in a line, ignoring case. */
export function rangesOf(text: string, wanted: string): readonly TextRange[] {
  if (wanted === '') return NONE;
  const [line, word] = [text.toLowerCase(), wanted.toLowerCase()];
  // Few letters change their length with their case; then positions would be wrong.
  if (!line.includes(word) || line.length !== text.length) return NONE;
  const ranges: TextRange[] = [];
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + word.length))
    ranges.push({ from: at, to: at + word.length });
  return ranges;
}

const NONE: readonly TextRange[] = [];
