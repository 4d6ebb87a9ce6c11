// biome-ignore lint/style/noRestrictedImports: terminals are in the run's own folder.
import { open, readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { terminalPlain } from '@areas/evidence/contract/terminal-text';
import type { TerminalHit } from '@areas/feed/contract/procedures';
import { segmentPath, segmentStart } from '@areas/terminals/contract/files';
import type { RecentTerminals, TerminalReader } from '@main/core/ports/store/terminals';

interface TerminalQuery extends RecentTerminals {
  readonly text: string;
}

interface TerminalHits {
  readonly hits: TerminalHit[];
  /** Older output was not searched. */
  readonly partial: boolean;
}

/** Limits the search, which reads files, to the newest terminals and their newest output. */
const MOST_TERMINALS = 200;
const TAIL_BYTES = 256 * 1024;
const PER_TERMINAL = 3;
const EXCERPT = 240;
const BEFORE = 60;

/** Finds lines with all words in terminals' output, newest terminal first. */
export async function searchTerminals(
  store: Pick<TerminalReader, 'recentTerminals'>,
  { text, limit, projectId, runId }: TerminalQuery,
): Promise<TerminalHits> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return { hits: [], partial: false };
  const terminals = store.recentTerminals({ limit: MOST_TERMINALS + 1, projectId, runId });
  const hits: TerminalHit[] = [];
  let partial = terminals.length > MOST_TERMINALS;
  for (const { runId, runName, name, openedAt, outputPath } of terminals.slice(0, MOST_TERMINALS)) {
    const { output, whole } = await newestOf(outputPath);
    partial ||= !whole;
    for (const line of linesWith(output, words))
      hits.push({ runId, runName, terminal: name, openedAt, excerpt: excerpt(line, words[0] ?? '') });
    if (hits.length >= limit) return { hits: hits.slice(0, limit), partial: true };
  }
  return { hits, partial };
}

function linesWith(output: string, words: readonly string[]): string[] {
  const folded = output.toLowerCase();
  // Most terminals have no match, and need not be rendered.
  if (!words.every((word) => folded.includes(word))) return [];
  return terminalPlain(output)
    .split('\n')
    .filter((line) => words.every((word) => line.toLowerCase().includes(word)))
    .slice(-PER_TERMINAL)
    .reverse();
}

function excerpt(line: string, word: string): string {
  const start = Math.max(0, line.toLowerCase().indexOf(word) - BEFORE);
  return `${start > 0 ? '…' : ''}${line.slice(start, start + EXCERPT).trim()}`;
}

/** The end of a terminal's newest file; empty if that was dropped. */
async function newestOf(outputPath: string): Promise<{ output: string; whole: boolean }> {
  const folder = dirname(outputPath);
  const base = basename(outputPath);
  try {
    const starts = (await readdir(folder))
      .map((name) => segmentStart(base, name))
      .filter((start) => start !== null);
    const newest = Math.max(0, ...starts);
    const file = await open(segmentPath(outputPath, newest));
    try {
      const { size } = await file.stat();
      const from = Math.max(0, size - TAIL_BYTES);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
      return { output: buffer.toString('utf8', 0, bytesRead), whole: from === 0 && newest === 0 };
    } finally {
      await file.close();
    }
  } catch {
    return { output: '', whole: true };
  }
}
