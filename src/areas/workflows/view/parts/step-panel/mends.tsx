import { MendButton } from '@renderer/parts/problems/problems';
import { wholeSentence } from '@renderer/ui/sentence';
import type { MendableProblem } from '../../../contract/editing';
import type { StepForm } from './form-context';
import styles from './step-panel.module.css';

interface MendsProps {
  readonly problems: readonly MendableProblem[];
  readonly disabled: boolean;
  readonly onMend: StepForm['edit'];
  readonly label: string;
  /** The path of the form in the file. */
  readonly at: string;
}

/** Problems above the fields of a form, with a button for each that edits can fix. */
export function Mends({ problems, label, at, disabled, onMend }: MendsProps) {
  if (problems.length === 0) return null;
  return (
    <ul className={styles.mends} aria-label={label}>
      {problems.map(({ code, severity, message, mend, edits, where }) => (
        <li
          key={`${code} ${where?.path} ${message}`}
          // No field shows an unknown key: a jump to it ends here.
          data-path={
            code === 'validation.unknown_key' ? where?.path?.slice(at.length).replace(/^\./, '') : undefined
          }
        >
          <span className={severity === 'error' ? 'failed-text' : 'waits-text'}>
            {wholeSentence(message)}
          </span>
          {mend !== undefined && <span className="quiet"> {wholeSentence(mend)}</span>}
          {edits !== undefined && (
            <MendButton edits={edits} disabled={disabled} onMend={(chosen) => void onMend(chosen)} />
          )}
        </li>
      ))}
    </ul>
  );
}
