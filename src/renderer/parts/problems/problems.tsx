import type { WorkflowEdit } from '@areas/workflows/contract/edit';
import type { MendableProblem } from '@areas/workflows/contract/editing';
import { CircleX, TriangleAlert } from 'lucide-react';
import { hashOf } from '../../client/route';
import { Button } from '../../ui/controls/button';
import { Status } from '../../ui/controls/status';
import { sentence } from '../../ui/sentence';
import { CommandText } from '../text/command-text';
import { openInEditor } from './error-note';
import styles from './problems.module.css';

interface ProblemsProps {
  readonly problems: readonly MendableProblem[];
  /** The file to open; null if the operator cannot change it. */
  readonly path: string | null;
  /** Goes to the place of a problem in the window, instead of opening the editor. */
  readonly onGo?: ((problem: MendableProblem) => void) | undefined;
  /** Makes the edits that fix a problem. */
  readonly onMend?: ((edits: readonly WorkflowEdit[]) => void) | undefined;
}

/** The problems, one per line. A click goes to the place; problems that edits can fix have a button. */
export function Problems({ problems, path, onGo, onMend }: ProblemsProps) {
  const byLine = [...problems].sort((a, b) => (a.where?.line ?? 0) - (b.where?.line ?? 0));
  const counted = byLine.map((problem, index) => ({ problem, id: `${index} ${problem.code}` }));
  return (
    <ul className="problems" aria-label="Problems">
      {counted.map(({ problem, id }) => (
        <li key={id} className={styles.line}>
          <button
            type="button"
            className={styles.problem}
            title={onGo ? 'Go to this place' : path === null ? undefined : 'Open the editor there'}
            disabled={path === null && onGo === undefined}
            onClick={() => {
              if (onGo) onGo(problem);
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
              {sentence(problem.message)}
              {problem.mend && (
                <span className={`quiet ${styles.problemMend}`}>
                  <CommandText text={problem.mend} />
                </span>
              )}
              <span className={`faint mono note ${styles.problemPlace}`}>{problem.where?.path}</span>
            </span>
            <span className="mono faint note">
              {problem.where?.line === undefined ? '' : `line ${problem.where.line}`}
            </span>
          </button>
          {problem.where?.run !== undefined && <a href={hashOf('run', problem.where.run)}>Open the run</a>}
          {problem.edits !== undefined && onMend !== undefined && (
            <MendButton edits={problem.edits} onMend={onMend} />
          )}
        </li>
      ))}
    </ul>
  );
}

interface MendProps {
  readonly edits: readonly WorkflowEdit[];
  readonly disabled?: boolean;
  readonly onMend: (edits: readonly WorkflowEdit[]) => void;
}

/** Fixes a problem by edits of the file, which can be undone. */
export function MendButton({ edits, disabled = false, onMend }: MendProps) {
  return (
    <Button tone="ghost" disabled={disabled} onClick={() => onMend(edits)}>
      {VERBS.get(edits[0]?.kind ?? '') ?? 'Fix'}
    </Button>
  );
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ['value.unset', 'Remove the key'],
  ['list.remove', 'Remove the entry'],
  ['cable.remove', 'Remove the cable'],
]);
