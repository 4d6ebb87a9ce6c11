import { own } from '@contract/own';
import type { DiffHunk } from '@contract/workspace/procedures';

export interface HunkLine {
  readonly kind: 'same' | 'added' | 'removed' | 'note';
  /** Its number before and after, from 1. */
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
    const kind = own(KINDS, line[0] ?? '') ?? 'same';
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

/** The line that a comment on a whole hunk stands by: the first that came, else the first that went. */
export const firstChange = (lines: readonly HunkLine[]): HunkLine | null =>
  lines.find((line) => line.kind === 'added') ??
  lines.find((line) => line.kind === 'removed') ??
  lines[0] ??
  null;

/** Lines that a hunk adds and takes away. */
export function tallyOf(hunk: Pick<DiffHunk, 'lines'>): { added: number; removed: number } {
  const of = (sign: string) => hunk.lines.filter((line) => line.startsWith(sign)).length;
  return { added: of('+'), removed: of('-') };
}

/**
 * The hunk as two texts, as it was and as it is, each line with its place in both: what is in only one of them is
 * coloured within that one, so that a string or comment that was opened in a removed line does not colour the rest.
 */
export function twoSides(lines: readonly HunkLine[]): {
  readonly old: readonly string[];
  readonly fresh: readonly string[];
  /** For each line: on which side, and where there. Null for a note. */
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
