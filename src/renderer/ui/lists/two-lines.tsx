import type { ReactNode } from 'react';
import styles from './two-lines.module.css';

interface TwoLinesProps {
  readonly mark: ReactNode;
  readonly title: ReactNode;
  readonly end?: ReactNode;
  readonly under: ReactNode;
  readonly underEnd?: ReactNode;
}

/** A row of a list: a mark, a title, a part at its end, and a second line with details. */
export function TwoLines({ mark, title, end, under, underEnd }: TwoLinesProps) {
  return (
    <div className={styles.twoLines}>
      <span className="row-mark">{mark}</span>
      <span className={styles.rowLine}>
        <span className="row-title cut">{title}</span>
        {end && <span className="row-end">{end}</span>}
      </span>
      <span className={styles.rowLine}>
        <span className={`${styles.rowUnder} cut`}>{under}</span>
        {underEnd && <span className="row-end">{underEnd}</span>}
      </span>
    </div>
  );
}
