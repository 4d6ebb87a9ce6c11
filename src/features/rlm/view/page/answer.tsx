import { WholeText } from '@areas/evidence/view/parts/whole-text';
import type { ActivationState } from '@contract/run/state';
import { copyText } from '@renderer/parts/controls/copy';
import { Marked } from '@renderer/parts/marks/marks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { AgentText } from '@renderer/parts/text/agent-text';
import { Ago } from '@renderer/parts/text/ago';
import { outcomeWords } from '@renderer/parts/words/status-words';
import { IconButton } from '@renderer/ui/controls/button';
import { Copy } from 'lucide-react';
import { answerParts, BACKGROUND } from '../../contract/background';
import type { RlmState } from '../../contract/state';
import { phaseWords } from '../words';
import { Citations } from './citations';
import { Claims } from './claims';
import styles from './page.module.css';

interface AnswerProps {
  readonly runId: number;
  readonly activation: ActivationState;
  readonly rlm: RlmState | undefined;
  /** The model was allowed to add its own knowledge. */
  readonly allowsBackground: boolean;
}

/** The answer with its citations, or why there is none. */
export function Answer({ runId, activation, rlm, allowsBackground }: AnswerProps) {
  const text = answerOf(activation);
  const bundle = activation.outputs.data_out;
  const large = bundle !== undefined && 'large' in bundle ? bundle.large : null;
  return (
    <section className={styles.answer} aria-label="Answer">
      <header className={styles.answerHead}>
        <h2>Answer</h2>
        <Marked
          word={
            activation.outcome === 'succeeded' && activation.receipt.partial === true
              ? phaseWords.partial
              : outcomeWords[activation.outcome ?? 'failed']
          }
        />
        <span className="grow" />
        {activation.finishedAt !== null && (
          <span className="faint note">
            <Ago at={activation.finishedAt} />
          </span>
        )}
        {text !== null && (
          <IconButton
            icon={Copy}
            label="Copy the answer"
            onClick={() => copyText(text, 'Copied the answer')}
          />
        )}
      </header>
      {activation.error && <ErrorNote error={activation.error} />}
      {text === '' && <p className="quiet">The answer is an empty text.</p>}
      {large !== null && <WholeText runId={runId} of={large} />}
      {answerParts(text ?? '').map((part) =>
        part.from === 'documents' ? (
          <AgentText key={part.text} text={part.text} />
        ) : (
          <section key={part.text} className={styles.background} aria-label="Background knowledge">
            <p className="faint note">From the model’s own knowledge, not from the documents.</p>
            <AgentText text={part.text} />
          </section>
        ),
      )}
      {allowsBackground && text !== null && !text.includes(BACKGROUND.begin) && (
        <p className="quiet note">The model was allowed to add its own knowledge, and did not.</p>
      )}
      {activation.warnings.map((warning) => (
        <p key={warning} className="waits-text note reads">
          {warning}
        </p>
      ))}
      {(text ?? large) !== null && rlm && <Citations runId={runId} rlm={rlm} />}
      {rlm?.verification && <Claims runId={runId} rlm={rlm} verification={rlm.verification} />}
    </section>
  );
}

function answerOf({ outputs }: ActivationState): string | null {
  const content = outputs.data_out?.content;
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return null;
  return typeof content.merged_content === 'string' ? content.merged_content : null;
}
