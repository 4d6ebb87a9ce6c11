import { ownAnswers } from '@areas/gates/view/parts/answer/own-answers';
import { SendsIn } from '@areas/gates/view/parts/answer/pending-answer';
import { undoCards } from '@areas/gates/view/parts/answer/undo-cards';
import { Undo2 } from 'lucide-react';
import { useEffect } from 'react';
import { useHandlers, useReadable, useRoute } from '../../client/hooks';
import { navigate } from '../../client/route';
import { decisions } from '../../client/sending/decisions';
import { ActButton } from '../../parts/controls/act';
import { inPlainSight } from '../../ui/invisible-characters';
import styles from './undo-bar.module.css';

function undo(): void {
  const undone = decisions.undo();
  if (undone === null) return;
  ownAnswers.remove(undone.key);
  navigate(undone.place);
}

/** The undo key works in every view: its handler comes last, after those of a view just opened. */
function UndoKeys() {
  useHandlers({ 'decision.undo': undo });
  return null;
}

/** The decision that can still be undone, in every view where its own card does not offer that. */
export function UndoBar() {
  const { path } = useRoute();
  const open = useReadable(decisions.held).filter(({ sendsAt }) => sendsAt !== null);
  const last = open.at(-1);
  useEffect(() => {
    const send = () => decisions.sendAll();
    window.addEventListener('pagehide', send);
    return () => window.removeEventListener('pagehide', send);
  }, []);
  const cards = useReadable(undoCards.keys);
  if (last === undefined || last.sendsAt === null) return null;
  const keys = <UndoKeys key={path.join('/')} />;
  if (cards.includes(last.key)) return keys;
  return (
    <div className={styles.undoBar} role="status">
      {keys}
      <span className={styles.undoText}>
        <strong>{last.word}</strong> <span className="cut">{inPlainSight(last.title)}</span>
      </span>
      <span className="quiet note">
        {open.length > 1 && `${open.length - 1} more, `}
        <SendsIn at={last.sendsAt} />
      </span>
      <ActButton action="decision.undo" icon={Undo2}>
        Undo
      </ActButton>
    </div>
  );
}
