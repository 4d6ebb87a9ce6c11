import { diffArrays } from 'diff';

/** One line of a diff. `gap` stands for omitted lines that are the same in both. */
export type DiffLine =
  | {
      readonly kind: 'same' | 'added' | 'removed';
      readonly old: number | null;
      readonly fresh: number | null;
      readonly text: string;
    }
  | { readonly kind: 'gap'; readonly lines: number; readonly at: number };

interface Diff {
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

const CONTEXT = 3;
/** Texts with more differing lines are shown as replaced: comparing them would block the window. */
const MOST_EDITS = 3_000;

type Step = 'same' | 'added' | 'removed';

export function diffLines(oldText: string | null, newText: string): Diff {
  const old = split(oldText);
  const fresh = split(newText);
  const steps = compare(old, fresh);
  const lines: Exclude<DiffLine, { kind: 'gap' }>[] = [];
  let [i, j] = [0, 0];
  for (const kind of steps) {
    const text = (kind === 'added' ? fresh[j] : old[i]) ?? '';
    lines.push({
      kind,
      old: kind === 'added' ? null : i + 1,
      fresh: kind === 'removed' ? null : j + 1,
      text,
    });
    if (kind !== 'added') i += 1;
    if (kind !== 'removed') j += 1;
  }
  const tally = (kind: Step) => steps.reduce((sum, step) => sum + (step === kind ? 1 : 0), 0);
  return { lines: withGaps(lines), added: tally('added'), removed: tally('removed') };
}

function split(text: string | null): string[] {
  if (text === null || text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function compare(old: string[], fresh: string[]): Step[] {
  const changes = diffArrays(old, fresh, { maxEditLength: MOST_EDITS }) ?? [
    { count: old.length, removed: true, added: false },
    { count: fresh.length, removed: false, added: true },
  ];
  return changes.flatMap(({ count, added, removed }) =>
    Array<Step>(count).fill(added ? 'added' : removed ? 'removed' : 'same'),
  );
}

function withGaps(lines: readonly Exclude<DiffLine, { kind: 'gap' }>[]): DiffLine[] {
  const near = new Uint8Array(lines.length);
  for (const [index, line] of lines.entries()) {
    if (line.kind !== 'same') near.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  }
  const shown: DiffLine[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index];
    if (near[index] === 1 && line) {
      shown.push(line);
      continue;
    }
    const from = index;
    while (index + 1 < lines.length && near[index + 1] === 0) index += 1;
    shown.push({ kind: 'gap', lines: index - from + 1, at: from });
  }
  return shown;
}
