import { bundlePieces } from '@areas/evidence/contract/bundle-pieces';
import type { EvidenceKind } from '@areas/evidence/contract/evidence';
import { readFiles } from '@areas/evidence/contract/file-list';
import { readTestResults, testsWord } from '@areas/evidence/contract/test-results';
import { Evidence } from '@areas/evidence/view/parts/evidence';
import { storedText } from '@areas/workflows/contract/bundle-text';
import type { StoredBundle } from '@areas/workflows/contract/definition';
import { cutWords, isCut, isLarge } from '@contract/whole-text';
import { bytes, firstLine, plural } from '@renderer/client/format';

/** The content of a port, in the format that its step declared. */
export function Content({ runId, bundle }: { runId: number | null; bundle: StoredBundle }) {
  const pieces = bundlePieces(bundle);
  return pieces.length === 0 ? <p className="quiet">Empty.</p> : <Evidence runId={runId} pieces={pieces} />;
}

/** A short summary of the content. */
export function contentHint(bundle: StoredBundle): string {
  const text = storedText(bundle);
  if (isCut(text)) return cutWords(text);
  if (isLarge(text)) return bytes(text.bytes);
  const pieces = bundlePieces(bundle);
  const [first] = pieces;
  if (first === undefined) return 'empty';
  if (pieces.length > 1 && first.kind === 'diff') return plural(pieces.length, 'diff');
  return hintOf(first.kind, first.text, bundle);
}

function hintOf(kind: EvidenceKind, text: string, { content }: StoredBundle): string {
  if (kind === 'json') {
    if (Array.isArray(content)) return plural(content.length, 'entry', 'entries');
    if (content != null && typeof content === 'object') return Object.keys(content).join(', ');
  }
  if (kind === 'files') return plural(readFiles(text)?.length ?? 0, 'file');
  if (kind === 'tests') {
    const results = readTestResults(text);
    return results === null || results === 'none' ? 'no tests were run' : testsWord(results).toLowerCase();
  }
  return firstLine(text).replace(/^#+ /, '') || 'empty';
}
