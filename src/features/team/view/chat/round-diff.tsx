import type { DiffFile, DiffHunk } from '@areas/changes/contract/procedures';
import { type HunkLine, hunkLines } from '@areas/changes/view/parts/hunk-lines';
import { plural } from '@renderer/client/format';
import { useQuery } from '@renderer/client/hooks';
import { formatRoute } from '@renderer/client/route';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { LineCounts } from '@renderer/parts/text/line-counts';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import styles from './round-diff.module.css';

interface RoundDiffProps {
  readonly runId: number;
  readonly turnId: number;
  readonly sessionId: number | null;
}

/** Maximum files shown in the chat; the others are with the session's changes. */
const MOST_FILES = 6;
const MOST_LINES = 200;

/** A round's changes, read-only; the session page has comments and undo. */
export function RoundDiff({ runId, turnId, sessionId }: RoundDiffProps) {
  const { value, error } = useQuery('workspace.diff', { runId, of: { kind: 'turn', turnId } });
  if (error) return <ErrorNote error={error} />;
  if (value === null) return null;
  const path = ['session', runId, sessionId ?? 0, 'turn', turnId].map(String);
  const more = value.files.length - MOST_FILES;
  return (
    <div className={styles.roundDiff}>
      {value.files.slice(0, MOST_FILES).map((file) => (
        <File key={file.path} file={file} />
      ))}
      <p className="note quiet">
        {more > 0 && <span>{plural(more, 'more file')}. </span>}
        {sessionId !== null && (
          <a href={formatRoute({ path, query: { show: 'changes' } })}>Comment, or revert parts</a>
        )}
      </p>
    </div>
  );
}

function File({ file }: { file: DiffFile }) {
  return (
    <figure className="diff">
      <figcaption>
        <span className="mono cut reads" title={file.path}>
          {inPlainSight(file.path)}
        </span>
        {file.status !== 'modified' && <span className="faint">{file.status.replace('_', ' ')}</span>}
        <span className="grow" />
        <LineCounts added={file.added} removed={file.removed} />
      </figcaption>
      <div className="diff-lines reads scroll">
        <div className="diff-inner">
          {file.hunks.map((hunk) => (
            <Hunk key={hunk.id} hunk={hunk} />
          ))}
        </div>
      </div>
    </figure>
  );
}

const SIGN = { same: ' ', added: '+', removed: '−', note: ' ' };

function Hunk({ hunk }: { hunk: DiffHunk }) {
  const lines = hunkLines(hunk);
  const left = lines.length - MOST_LINES;
  return (
    <>
      {lines.slice(0, MOST_LINES).map((line) => (
        <Line key={line.key} line={line} />
      ))}
      {left > 0 && <div className="diff-line gap">{plural(left, 'more line')}</div>}
    </>
  );
}

function Line({ line }: { line: HunkLine }) {
  return (
    <div className={`diff-line ${line.kind}`}>
      <span className="diff-number">{line.old ?? ''}</span>
      <span className="diff-number">{line.fresh ?? ''}</span>
      <span className="diff-sign">{SIGN[line.kind]}</span>
      <span className="diff-text">{inPlainSight(line.text) || ' '}</span>
    </div>
  );
}
