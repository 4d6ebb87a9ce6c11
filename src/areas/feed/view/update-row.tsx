import { Ago } from '@renderer/parts/text/ago';
import { resultWords } from '@renderer/parts/words/status-words';
import { Glyph } from '@renderer/ui/controls/icon';
import { memo } from 'react';
import { plainLine } from '../contract/plain-line';
import type { UpdateRow as Row } from '../contract/procedures';
import { storyTitle, updateLines } from './lines';
import styles from './update-row.module.css';

interface UpdateRowProps {
  readonly row: Row;
  readonly unread: boolean;
  /** The newest read update. */
  readonly first: boolean;
}

/** An update in two lines: its result, story and time, and the first sentence of its summary. */
export const UpdateRow = memo(function UpdateRow({ row, unread, first }: UpdateRowProps) {
  const [iteration, story, , , summary] = updateLines(row.text);
  const { icon, tone } = resultWords[row.update.result];
  return (
    <div className={`${styles.update} ${first ? 'first-read' : ''}`} data-part="update">
      {first && (
        <span className={styles.newLine}>
          <span>New since last time</span>
        </span>
      )}
      <span className={styles.mark}>
        {unread && <span className={styles.unreadDot} role="img" aria-label="Unread" />}
      </span>
      <div className={styles.body}>
        <div className={styles.line}>
          <span className={`status ${tone}`}>
            <Glyph of={icon} size={13} /> <span>{row.update.result}</span>
          </span>
          <span className={`cut grow ${unread ? styles.unread : ''}`}>
            {storyTitle(story?.text ?? '', row.stepId)}
          </span>
          <span className="faint">{iteration?.text}</span>
          <span className={styles.time}>
            <Ago at={row.at} />
          </span>
        </div>
        <div className={styles.line}>
          <span className="cut grow quiet">{plainLine(summary?.text ?? '')}</span>
          <span className={`faint cut ${styles.run}`}>{row.runName}</span>
        </div>
      </div>
    </div>
  );
});
