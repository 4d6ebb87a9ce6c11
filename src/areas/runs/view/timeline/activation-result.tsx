import { Chained } from '@areas/sessions/view/parts/chain';
import { portWords } from '@areas/workflows/view/parts/port-words';
import type { ActivationState } from '@contract/run/state';
import { plural } from '@renderer/client/format';
import { Marked } from '@renderer/parts/marks/marks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { endWord } from '@renderer/parts/words/status-words';
import { Printed } from '@renderer/ui/code/code';
import { Glyph } from '@renderer/ui/controls/icon';
import { Fold } from '@renderer/ui/layout/fold';
import { TriangleAlert } from 'lucide-react';
import { memo } from 'react';
import styles from './activation-result.module.css';
import { Content, contentHint } from './content';

const RECEIPT = 'receipt_out';
/** Every successful step fires it: only other signals are informative. */
const DONE = 'signal_out';

/** The result of an activation: its outcome, outputs by port, receipt, warnings. */
export const ActivationResult = memo(function ActivationResult({
  runId,
  activation,
  told = null,
}: {
  runId: number;
  activation: ActivationState;
  /** The error that the last turn above shows: it is not shown twice. */
  told?: string | null;
}) {
  const word = endWord(activation);
  // The receipt's port contains the receipt, which is shown once.
  const outputs = Object.entries(activation.outputs).filter(([port]) => port !== RECEIPT);
  const receipt = Object.entries(activation.receipt);
  const bare = activation.signals.filter((port) => port !== DONE && !Object.hasOwn(activation.outputs, port));
  return (
    <Chained mark={null} tone={word.tone}>
      <section className={styles.result} data-part="step-result">
        <p className={styles.resultLine}>
          <Marked word={word} />
          {bare.length > 0 && (
            <span className="faint note">Sent a signal: {bare.map(portWords).join(', ')}</span>
          )}
        </p>
        {activation.error && activation.error.message !== told && <ErrorNote error={activation.error} />}
        {activation.warnings.map((warning) => (
          <p key={warning} className="with-icon note waits-text">
            <Glyph of={TriangleAlert} size={13} /> {warning}
          </p>
        ))}
        {outputs.map(([port, bundle]) => (
          <Fold key={port} className="output" head={<Head name={port} hint={contentHint(bundle)} />}>
            <Content runId={runId} bundle={bundle} />
            {bundle.source_session_key && (
              <p className="note faint">
                from session <span className="mono">{bundle.source_session_key}</span>
              </p>
            )}
          </Fold>
        ))}
        {receipt.length > 0 && (
          <Fold
            className="output"
            head={<Head name={RECEIPT} hint={plural(receipt.length, 'entry', 'entries')} />}
          >
            <Printed text={JSON.stringify(activation.receipt, null, 2)} label="Receipt" />
          </Fold>
        )}
      </section>
    </Chained>
  );
});

function Head({ name, hint }: { name: string; hint: string }) {
  return (
    <>
      <span title={`The port ${name}`}>{portWords(name)}</span>
      <span className="faint note cut">{hint}</span>
    </>
  );
}
