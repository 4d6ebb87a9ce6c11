import { withHiddenSigns } from './hidden-signs';
import type { Coloured } from './highlight';

/** A line of code in colours; where there are none, as it is. */
export function CodeLine({ text, pieces }: { text: string; pieces: readonly Coloured[] | null }) {
  if (pieces === null || pieces.length === 0) return withHiddenSigns(text) || ' ';
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never change places
    <span key={index} className={piece.className}>
      {withHiddenSigns(piece.text)}
    </span>
  ));
}
