import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';

/** Beyond this many changed lines the whole text counts as replaced: the comparison would take seconds. */
const MOST_EDITS = 5_000;

/** The difference in unified format, like `diff -u`; empty if the texts are equal. */
export function unifiedDiff(name: string, old: string, fresh: string): string {
  if (old === fresh) return '';
  const patch = structuredPatch(name, name, old, fresh, undefined, undefined, {
    maxEditLength: MOST_EDITS,
    context: 3,
  });
  return formatPatch(patch ?? replaced(name, old, fresh), FILE_HEADERS_ONLY);
}

function replaced(name: string, old: string, fresh: string): ReturnType<typeof structuredPatch> {
  const removed = linesOf('-', old);
  const added = linesOf('+', fresh);
  const count = (lines: readonly string[]): number => lines.filter((line) => !line.startsWith('\\')).length;
  const hunk = {
    oldStart: 1,
    oldLines: count(removed),
    newStart: 1,
    newLines: count(added),
    lines: [...removed, ...added],
  };
  return { oldFileName: name, newFileName: name, oldHeader: undefined, newHeader: undefined, hunks: [hunk] };
}

function linesOf(sign: '-' | '+', text: string): string[] {
  if (text === '') return [];
  const lines = text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${sign}${line}`);
  return text.endsWith('\n') ? lines : [...lines, '\\ No newline at end of file'];
}
