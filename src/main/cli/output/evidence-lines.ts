import type { EvidencePiece } from '@areas/evidence/contract/evidence';
import { readFiles } from '@areas/evidence/contract/file-list';
import { readFindings } from '@areas/evidence/contract/findings';
import { terminalPlain } from '@areas/evidence/contract/terminal-text';
import { readTestResults, testsWord } from '@areas/evidence/contract/test-results';

/** Names from an agent must not look like Muster's own lines. */
export const oneLine = (text: string): string => text.trim().replace(/\s*[\r\n]\s*/g, ' ');

const linesOf = (text: string): string[] => text.trimEnd().split('\n');

/** Pieces of evidence as lines, each under its name. */
export const evidenceLines = (pieces: readonly EvidencePiece[]): string[] =>
  pieces.flatMap((piece) => {
    const named = piece.title !== undefined && pieces.length > 1 ? [`${oneLine(piece.title)}:`] : [];
    return [...named, ...(PRINTERS[piece.kind](piece.text) ?? linesOf(piece.text))];
  });

/** One printer per kind; null if the text does not have its kind's form, and is printed unchanged. */
const PRINTERS: Record<EvidencePiece['kind'], (text: string) => string[] | null> = {
  text: linesOf,
  markdown: linesOf,
  diff: linesOf,
  json: linesOf,
  output: (text) => linesOf(terminalPlain(text)),
  findings: (text) =>
    readFindings(text)?.map(({ severity, text: finding, place, more }) => {
      const beside = more.length === 0 ? '' : ` ${more.map(oneLine).join('; ')}`;
      const where = place === null ? '' : ` (${oneLine(place)})`;
      return `[${severity ?? 'not rated'}] ${oneLine(finding)}${where}${beside}`.trim();
    }) ?? null,
  tests: testLines,
  files: fileLines,
};

function testLines(text: string): string[] | null {
  const results = readTestResults(text);
  if (results === null) return null;
  if (results === 'none') return ['No tests were run.'];
  const { command, exitCode, output } = results;
  const code = exitCode === null || exitCode === 0 ? '' : ` (exit ${exitCode})`;
  const printed = output === '' ? [] : linesOf(terminalPlain(output)).map((line) => `  ${line}`);
  return [`${testsWord(results)}${code}: ${oneLine(command)}`, ...printed];
}

const SIGNS = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R', type_changed: 'T' } as const;

function fileLines(text: string): string[] | null {
  const files = readFiles(text);
  if (files === null) return null;
  return files.map(({ path, old_path: old, status, added, removed }) => {
    const tally = added == null || removed == null ? '' : `  +${added} -${removed}`;
    return `${SIGNS[status]}  ${old == null ? '' : `${oneLine(old)} -> `}${oneLine(path)}${tally}`;
  });
}
