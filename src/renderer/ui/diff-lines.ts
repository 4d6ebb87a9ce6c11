/** One line of a shown difference. `gap` stands for lines that are the same in both and left out. */
export type DiffLine =
  | {
      readonly kind: 'same' | 'added' | 'removed';
      readonly old: number | null;
      readonly fresh: number | null;
      readonly text: string;
    }
  | { readonly kind: 'gap'; readonly lines: number; readonly at: number };

export interface Diff {
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

const CONTEXT = 3;
/** Beyond this many pairs the middle counts as replaced: a table of all of them would hold up the window. */
const MOST_PAIRS = 2_000_000;

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
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (end < most && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end += 1;
  const middle = compareMiddle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
  return [...Array<Step>(start).fill('same'), ...middle, ...Array<Step>(end).fill('same')];
}

function compareMiddle(old: string[], fresh: string[]): Step[] {
  if (old.length * fresh.length > MOST_PAIRS || old.length === 0 || fresh.length === 0) {
    return [...old.map((): Step => 'removed'), ...fresh.map((): Step => 'added')];
  }
  const width = fresh.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      const same = old[i] === fresh[j];
      longest[i * width + j] = same ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const steps: Step[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      steps.push('same');
      i += 1;
      j += 1;
    } else if (i < old.length && (j >= fresh.length || at(i + 1, j) >= at(i, j + 1))) {
      steps.push('removed');
      i += 1;
    } else {
      steps.push('added');
      j += 1;
    }
  }
  return steps;
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
