import { notReturned } from '@contract/run/results/returned-output';
import { stepTitle } from '@contract/run/scope/path';
import type { RunState } from '@contract/run/state';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import styles from './run-returned.module.css';

/** Why a completed run lacks the result that its workflow names. */
export function NoResult({ state }: { state: RunState }) {
  const nothing = notReturned(state);
  if (nothing === null) return null;
  return (
    <section className={styles.returned} aria-label="Result of the run">
      <header>
        <h2>No result</h2>
        <span className="quiet note reads">
          {stepTitle(state, nothing.step)} {inPlainSight(nothing.why)}
        </span>
      </header>
    </section>
  );
}
