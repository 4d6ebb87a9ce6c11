import { SECOND_MS } from '@contract/time-units';
import { useClock } from '@renderer/client/hooks';
import type { HeldDecision } from '@renderer/client/sending/decisions';
import { ActButton } from '@renderer/parts/controls/act';
import { useEffect } from 'react';
import styles from './pending-answer.module.css';
import { undoCards } from './undo-cards';

/** The remaining undo period, in whole seconds. */
export function SendsIn({ at }: { at: number }) {
  const seconds = useClock((now) => Math.max(1, Math.ceil((at - now) / SECOND_MS)));
  return <>sent in {seconds} s</>;
}

/** A chosen answer that is not sent yet, or is being sent: shown in place of the options. */
export function PendingAnswer({ held }: { held: HeldDecision }) {
  const { key } = held;
  useEffect(() => undoCards.add(key), [key]);
  return (
    <section className={styles.pendingAnswer} aria-label="Your answer" role="status">
      <span>
        <strong>{held.word}</strong>{' '}
        <span className="quiet">{held.sendsAt === null ? 'Sending' : <SendsIn at={held.sendsAt} />}</span>
      </span>
      {held.sendsAt !== null && <ActButton action="decision.undo">Undo</ActButton>}
    </section>
  );
}
