import { largePiece } from '@areas/evidence/contract/evidence';
import { Evidence } from '@areas/evidence/view/parts/evidence';
import { returnedBy } from '@contract/run/results/returned-output';
import { stepTitle } from '@contract/run/scope/path';
import type { RunState } from '@contract/run/state';
import { copyText } from '@renderer/parts/controls/copy';
import { Button } from '@renderer/ui/controls/button';
import { Copy } from 'lucide-react';
import { NoResult } from './no-result';
import styles from './run-returned.module.css';

/** The result of a finished run: the output of the step that its workflow names, or why there is none. */
export function RunReturned({ runId, state }: { runId: number; state: RunState }) {
  const returned = state.status === 'finished' ? returnedBy(state) : null;
  if (returned === null) return <NoResult state={state} />;
  const { kind, text, step } = returned;
  return (
    <section className={styles.returned} aria-label="Result of the run">
      <header>
        <h2>Result</h2>
        <span className="quiet note cut grow">from {stepTitle(state, step)}</span>
        {typeof text === 'string' && (
          <Button tone="ghost" icon={Copy} onClick={() => copyText(text, 'Copied the result')}>
            Copy
          </Button>
        )}
      </header>
      <div className={`${styles.text} scroll`}>
        {text === '' ? (
          <p className="quiet">The result is empty.</p>
        ) : (
          <Evidence runId={runId} pieces={[largePiece(kind, text)]} />
        )}
      </div>
    </section>
  );
}
