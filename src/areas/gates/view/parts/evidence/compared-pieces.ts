import type { EvidencePiece } from '@areas/evidence/contract/evidence';

interface ComparedPiece {
  readonly name: string;
  /** Null: there was no such piece. */
  readonly before: string | null;
  readonly now: string;
}

const nameOf = ({ title }: EvidencePiece): string => title ?? '';

function textOf(pieces: readonly EvidencePiece[], name: string): string | null {
  const found = pieces.filter((piece) => nameOf(piece) === name);
  return found.length === 0 ? null : found.map(({ text }) => text).join('\n\n');
}

/**
 * Pairs the evidence of two askings of a gate. Pieces with the same name are the same piece. A new piece
 * replaces one that is gone (a second rework the first), or revises one that is unchanged (a first rework the
 * draft).
 */
export function comparedPieces(
  previous: readonly EvidencePiece[],
  pieces: readonly EvidencePiece[],
): ComparedPiece[] {
  const before = [...new Set(previous.map(nameOf))];
  const now = [...new Set(pieces.map(nameOf))];
  const gone = before.filter((name) => !now.includes(name));
  const fresh = now.filter((name) => !before.includes(name));
  const stayed = before.filter((name) => textOf(pieces, name) === textOf(previous, name));
  const origin = fresh.length === 1 ? (gone[0] ?? stayed[0]) : undefined;
  const found = now.map((name): ComparedPiece => {
    const from = fresh.includes(name) ? origin : name;
    const shown = name === '' ? 'Evidence' : name;
    return {
      name: from === undefined || from === name || from === '' ? shown : `${from} → ${shown}`,
      before: from === undefined ? null : textOf(previous, from),
      now: textOf(pieces, name) ?? '',
    };
  });
  const removed = gone.filter((name) => name !== origin);
  return [
    ...found,
    ...removed.map((name) => ({ name: name || 'Evidence', before: textOf(previous, name), now: '' })),
  ];
}
