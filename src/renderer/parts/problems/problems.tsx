import type { Problem } from '@contract/errors';
import { CircleX, TriangleAlert } from 'lucide-react';
import { Status } from '../../ui/status';
import { openInEditor } from '../error-note';
import styles from './problems.module.css';

interface ProblemsProps {
  readonly problems: readonly Problem[];
  /** The file to open; null where it is not the operator's to change. */
  readonly path: string | null;
  /** Goes to a line here, in the place of opening the editor. */
  readonly onGo?: ((line: number) => void) | undefined;
}

/** What is wrong, line by line. A click leads there. */
export function Problems({ problems, path, onGo }: ProblemsProps) {
  const byLine = [...problems].sort((a, b) => (a.where?.line ?? 0) - (b.where?.line ?? 0));
  const counted = byLine.map((problem, index) => ({ problem, id: `${index} ${problem.code}` }));
  return (
    <ul className="problems" aria-label="Problems">
      {counted.map(({ problem, id }) => (
        <li key={id}>
          <button
            type="button"
            className={styles.problem}
            title={onGo ? 'Go to the line' : path === null ? undefined : 'Open the editor there'}
            disabled={path === null && onGo === undefined}
            onClick={() => {
              if (onGo) onGo(problem.where?.line ?? 1);
              else if (path !== null) openInEditor(path, problem.where?.line);
            }}
          >
            <Status
              tone={problem.severity === 'error' ? 'failed' : 'waits'}
              icon={problem.severity === 'error' ? CircleX : TriangleAlert}
              markOnly
            >
              {problem.severity === 'error' ? 'Error' : 'Warning'}
            </Status>
            <span className={styles.problemText}>
              {problem.message}
              {problem.mend && <span className={`quiet ${styles.problemMend}`}>{problem.mend}</span>}
              <span className={`faint mono note ${styles.problemPlace}`}>{problem.where?.path}</span>
            </span>
            <span className="mono faint note">
              {problem.where?.line === undefined ? '' : `line ${problem.where.line}`}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
