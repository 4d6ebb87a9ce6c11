import type { Coloured } from '@renderer/ui/code/highlight';
import { linePieces, rangesOf } from '@renderer/ui/code/line-pieces';
import type { TextRange } from '@renderer/ui/code/word-changes';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { useState } from 'react';

interface LineTextProps {
  readonly text: string;
  readonly coloured: readonly Coloured[] | null;
  readonly changed: readonly TextRange[];
  readonly find: string;
}

/** More characters of a line are drawn on demand: they would fill many screens. */
const LONGEST_SHOWN = 4_000;
const NEXT_SHOWN = 40_000;

/** The text of a line with its colours, the words that changed, and what was searched for. */
export function LineText({ text, coloured, changed, find }: LineTextProps) {
  const [most, setMost] = useState(LONGEST_SHOWN);
  const left = text.length - most;
  const shown = left > 0 ? text.slice(0, most) : text;
  if (shown === '') return ' ';
  const pieces = linePieces(shown, left > 0 ? null : coloured, { changed, found: rangesOf(shown, find) });
  return (
    <>
      {pieces.map((piece, index) =>
        piece.className === '' ? (
          inPlainSight(piece.text)
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never change their order
          <span key={index} className={piece.className}>
            {inPlainSight(piece.text)}
          </span>
        ),
      )}
      {left > 0 && (
        <button type="button" className="text-button" onClick={() => setMost(most + NEXT_SHOWN)}>
          Show {Math.min(left, NEXT_SHOWN).toLocaleString('en-US')} more characters
        </button>
      )}
    </>
  );
}
