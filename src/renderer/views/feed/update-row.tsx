import { plainLine } from '@contract/update/plain-line';
import type { UpdateRow as Row } from '@contract/update/procedures';
import { memo } from 'react';
import { Ago } from '../../parts/ago';
import { resultWords } from '../../parts/words';
import { Glyph } from '../../ui/icon';
import { Deliveries } from './deliveries';
import { updateLines } from './lines';
import styles from './update-row.module.css';

interface UpdateRowProps {
  readonly row: Row;
  readonly open: boolean;
  readonly unread: boolean;
  /** The newest one that is not new. */
  readonly first: boolean;
  readonly onRun: (row: Row) => void;
}

/** The five lines: folded to two, or exactly as they were sent with what became of them. */
export const UpdateRow = memo(function UpdateRow({ row, open, unread, first, onRun }: UpdateRowProps) {
  return (
    <div className={`${styles.update} ${open ? 'open' : ''} ${first ? 'first-read' : ''}`} data-part="update">
      {first && (
        <span className={styles.newLine}>
          <span>New since last time</span>
        </span>
      )}
      <span className={styles.updateMark}>
        {unread && <span className={styles.unreadDot} role="img" aria-label="Unread" />}
      </span>
      {open ? <Lines row={row} /> : <Folded row={row} />}
      <div className={styles.updateMeta}>
        <Ago at={row.at} />
        <button
          type="button"
          className="text-button cut"
          tabIndex={-1}
          title="Show only this run"
          onClick={() => onRun(row)}
        >
          {row.runName}
        </button>
      </div>
    </div>
  );
});

function Folded({ row }: { row: Row }) {
  const [iteration, story, , commit, summary] = updateLines(row.text);
  const { icon, tone } = resultWords[row.update.result];
  return (
    <div className={styles.updateFolded}>
      <div className="cut">
        <span className={styles.updateLabel}>Iteration</span> {iteration?.text}
        <span className={styles.updateGap} />
        <span className={styles.updateLabel}>Story:</span> {story?.text}
      </div>
      <div className="cut">
        <span className={styles.updateLabel}>Result:</span>{' '}
        <span className={`status ${tone}`}>
          <Glyph of={icon} size={13} /> <span>{row.update.result}</span>
        </span>
        <span className={styles.updateGap} />
        <span className={styles.updateLabel}>Commit:</span> <span className="mono">{commit?.text}</span>
        <span className={styles.updateGap} />
        <span className={styles.updateLabel}>Summary:</span> {plainLine(summary?.text ?? '')}
      </div>
    </div>
  );
}

function Lines({ row }: { row: Row }) {
  const lines = updateLines(row.text).map((line, index) => ({ ...line, index }));
  const { icon, tone } = resultWords[row.update.result];
  return (
    <div className="update-lines">
      {lines.map((line) => (
        <div key={line.index} className={styles.updateLine} data-part="update-line">
          <span className={`mono ${styles.updateLabel}`}>{line.label}</span>
          {line.label === 'Result:' ? (
            <span className={`status ${tone}`}>
              <Glyph of={icon} size={14} />
              <span>{line.text}</span>
            </span>
          ) : (
            <span className={`reads ${line.label === 'Commit:' ? 'mono' : ''}`}>{line.text}</span>
          )}
        </div>
      ))}
      <Deliveries eventId={row.id} />
    </div>
  );
}
