import { inPlainSight } from '../invisible-characters';
import type { Coloured } from './highlight';

/** A line of highlighted code; without highlighting, the plain text. */
export function CodeLine({ text, pieces }: { text: string; pieces: readonly Coloured[] | null }) {
  if (pieces === null || pieces.length === 0) return inPlainSight(text) || ' ';
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never change their order
    <span key={index} className={piece.className}>
      {inPlainSight(piece.text)}
    </span>
  ));
}
