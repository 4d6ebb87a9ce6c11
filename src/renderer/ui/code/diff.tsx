import { FileDiff, FilePlus2 } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import { Glyph } from '../controls/icon';
import { inPlainSight } from '../invisible-characters';
import { CodeLine } from './code-line';
import { type DiffLine, diffLines } from './diff-lines';
import type { Coloured } from './highlight';
import { useHighlight } from './use-highlight';

interface FileChange {
  readonly path: string;
  readonly oldText: string | null;
  readonly newText: string;
}

const FIRST_LINES = 120;

/** A proposed or made change of a file. */
export const DiffView = memo(function DiffView({ path, oldText, newText }: FileChange) {
  const diff = useMemo(() => diffLines(oldText, newText), [oldText, newText]);
  const [all, setAll] = useState(false);
  const old = useHighlight(path, useLines(oldText));
  const fresh = useHighlight(path, useLines(newText));
  const lines = all ? diff.lines : diff.lines.slice(0, FIRST_LINES);
  const left = diff.lines.length - lines.length;
  return (
    <figure className="diff">
      <figcaption>
        <Glyph of={oldText === null ? FilePlus2 : FileDiff} size={14} />
        <span className="mono cut reads" title={path}>
          {inPlainSight(path)}
        </span>
        {oldText === null && <span className="faint">new file</span>}
        <span className="grow" />
        <span className="diff-added">+{diff.added}</span>
        <span className="diff-removed">−{diff.removed}</span>
      </figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: the lines are no group of fields */}
      <div
        className="diff-lines reads scroll"
        role="group"
        aria-label={`Lines of ${path}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by key
        tabIndex={0}
      >
        <div className="diff-inner">
          {lines.map((line) => (
            <Line key={lineKey(line)} line={line} pieces={piecesOf(line, old, fresh)} />
          ))}
        </div>
      </div>
      {left > 0 && (
        <button type="button" className="text-button" onClick={() => setAll(true)}>
          Show {left} more lines
        </button>
      )}
    </figure>
  );
});

const lineKey = (line: DiffLine): string =>
  line.kind === 'gap' ? `gap${line.at}` : `${line.kind}${line.old}/${line.fresh}`;

const NO_LINES: readonly string[] = [];
const useLines = (text: string | null): readonly string[] =>
  useMemo(() => (text === null ? NO_LINES : text.split('\n')), [text]);

type Colours = ReturnType<typeof useHighlight>;

function piecesOf(line: DiffLine, old: Colours, fresh: Colours): readonly Coloured[] | null {
  if (line.kind === 'gap') return null;
  const found = line.fresh === null ? old?.[(line.old ?? 1) - 1] : fresh?.[line.fresh - 1];
  return found ?? null;
}

const SIGN = { same: ' ', added: '+', removed: '−' };

function Line({ line, pieces }: { line: DiffLine; pieces: readonly Coloured[] | null }) {
  if (line.kind === 'gap') {
    return (
      <div className="diff-line gap">
        {line.lines === 1 ? '1 unchanged line' : `${line.lines} unchanged lines`}
      </div>
    );
  }
  return (
    <div className={`diff-line ${line.kind}`}>
      <span className="diff-number">{line.old ?? ''}</span>
      <span className="diff-number">{line.fresh ?? ''}</span>
      <span className="diff-sign">{SIGN[line.kind]}</span>
      <span className="diff-text">
        <CodeLine text={line.text} pieces={pieces} />
      </span>
    </div>
  );
}
