import { ownValue } from '@contract/own';
import type { DiffHunk } from './procedures';

export interface HunkLine {
  readonly kind: 'same' | 'added' | 'removed' | 'note';
  /** The old and new line number, from 1. */
  readonly old: number | null;
  readonly fresh: number | null;
  readonly text: string;
  readonly key: string;
}

const KINDS: Readonly<Record<string, HunkLine['kind']>> = { '+': 'added', '-': 'removed', '\\': 'note' };

/** A hunk's lines with their numbers. */
export function hunkLines(hunk: Pick<DiffHunk, 'oldStart' | 'newStart' | 'lines'>): HunkLine[] {
  let [old, fresh] = [hunk.oldStart, hunk.newStart];
  return hunk.lines.map((line, index) => {
    const kind = ownValue(KINDS, line[0] ?? '') ?? 'same';
    const numbered = {
      kind,
      old: kind === 'same' || kind === 'removed' ? old : null,
      fresh: kind === 'same' || kind === 'added' ? fresh : null,
      text: line.slice(1),
      key: `${index}`,
    };
    if (numbered.old !== null) old += 1;
    if (numbered.fresh !== null) fresh += 1;
    return numbered;
  });
}

/** The line for a comment on a whole hunk: the first added line, otherwise the first removed one. */
export const firstChange = (lines: readonly HunkLine[]): HunkLine | null =>
  lines.find((line) => line.kind === 'added') ??
  lines.find((line) => line.kind === 'removed') ??
  lines[0] ??
  null;

/** Number of lines that a hunk adds and removes. */
export function tallyOf(hunk: Pick<DiffHunk, 'lines'>): { added: number; removed: number } {
  const of = (sign: string) => hunk.lines.filter((line) => line.startsWith(sign)).length;
  return { added: of('+'), removed: of('-') };
}

/**
 * The hunk as two texts, old and new, with each line's position in both. A line in only one of them is
 * highlighted in that one, so that a string or comment opened in a removed line does not colour the rest.
 */
export function twoSides(lines: readonly HunkLine[]): {
  readonly old: readonly string[];
  readonly fresh: readonly string[];
  /** For each line: its side and its index there. Null for a note. */
  readonly at: readonly ({ readonly side: 'old' | 'fresh'; readonly index: number } | null)[];
} {
  const old: string[] = [];
  const fresh: string[] = [];
  const at = lines.map((line) => {
    if (line.kind === 'note') return null;
    if (line.kind !== 'added') old.push(line.text);
    if (line.kind !== 'removed') fresh.push(line.text);
    return line.kind === 'removed'
      ? ({ side: 'old', index: old.length - 1 } as const)
      : ({ side: 'fresh', index: fresh.length - 1 } as const);
  });
  return { old, fresh, at };
}
