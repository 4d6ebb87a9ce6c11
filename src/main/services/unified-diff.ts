const CONTEXT = 3;
/** Beyond this many pairs of lines the middle counts as replaced whole: a table of all of them would cost too much. */
const MOST_PAIRS = 4_000_000;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** Both texts' difference in the unified format, as `diff -u` gives it; empty where they are equal. */
export function unifiedDiff(name: string, old: string, fresh: string): string {
  if (old === fresh) return '';
  const lines = compare(split(old), split(fresh));
  return [`--- ${name}\n`, `+++ ${name}\n`, ...hunks(lines)].join('');
}

/** Lines with their ends: a last line without one is another line than the same with one. */
const split = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function compare(old: readonly string[], fresh: readonly string[]): Line[] {
  const shorter = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < shorter && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  const same = (text: string): Line => ({ sign: ' ', text });
  return [
    ...old.slice(0, start).map(same),
    ...middle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)),
    ...old.slice(old.length - end).map(same),
  ];
}

/** By the longest common subsequence; what goes stands before what comes. */
function middle(old: readonly string[], fresh: readonly string[]): Line[] {
  const width = fresh.length + 1;
  const small = old.length * fresh.length <= MOST_PAIRS;
  const longest = new Uint32Array(small ? (old.length + 1) * width : 0);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = small ? old.length - 1 : -1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] =
        old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const [gone, come] = [old[i], fresh[j]];
    if (small && gone !== undefined && gone === come) {
      lines.push({ sign: ' ', text: gone });
      i += 1;
      j += 1;
    } else if (gone !== undefined && (come === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: '-', text: gone });
      i += 1;
    } else {
      lines.push({ sign: '+', text: come ?? '' });
      j += 1;
    }
  }
  return lines;
}

function hunks(lines: readonly Line[]): string[] {
  const near = lines.map(() => false);
  for (const [index, { sign }] of lines.entries()) {
    if (sign !== ' ') near.fill(true, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  }
  const found: string[] = [];
  let [old, fresh] = [1, 1];
  for (let from = 0; from < lines.length; ) {
    if (near[from] !== true) {
      from += 1;
      old += 1;
      fresh += 1;
      continue;
    }
    const after = near.indexOf(false, from);
    const hunk = lines.slice(from, after < 0 ? lines.length : after);
    const olds = hunk.filter(({ sign }) => sign !== '+').length;
    const freshes = hunk.filter(({ sign }) => sign !== '-').length;
    found.push(`@@ -${span(old, olds)} +${span(fresh, freshes)} @@\n`, ...hunk.map(written));
    old += olds;
    fresh += freshes;
    from += hunk.length;
  }
  return found;
}

const span = (start: number, count: number): string =>
  count === 1 ? `${start}` : `${count === 0 ? start - 1 : start},${count}`;

const written = ({ sign, text }: Line): string =>
  `${sign}${text}${text.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`;
