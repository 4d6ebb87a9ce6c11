import { AgentText } from '@renderer/parts/text/agent-text';
import { Ago } from '@renderer/parts/text/ago';
import { Glyph } from '@renderer/ui/controls/icon';
import { Fold, FoldedText } from '@renderer/ui/layout/fold';
import { Info } from 'lucide-react';
import { memo } from 'react';
import { LEAD, OPERATOR } from '../../contract/events';
import { earlierTexts, MUSTER, textFor } from '../../contract/messages/thread';
import type { TeamMessage } from '../../contract/state';
import teamsStyles from '../teams.module.css';
import { nameOf } from '../words';
import chatStyles from './chat.module.css';
import styles from './message-row.module.css';
import { deliveryWord } from './parts';

interface MessageRowProps {
  readonly message: TeamMessage;
  /** The text is the one that this recipient got; null: as last edited, with what others got before. */
  readonly thread: string | null;
}

/** One message. */
export const MessageRow = memo(function MessageRow({ message, thread }: MessageRowProps) {
  if (message.from === MUSTER) return <Notice message={message} />;
  const text = textFor(message, thread);
  const earlier = earlierTexts(message).filter((one) => one.text !== text);
  const mine = message.from === OPERATOR;
  const word = deliveryWord(message);
  const withdrawn = word === 'withdrawn';
  return (
    <article
      className={`${styles.chatMessage} ${mine ? styles.mine : ''}`}
      aria-label={`${nameOf(message.from)} to ${whom(message)}`}
    >
      <header className={teamsStyles.chatHead}>
        <strong>{nameOf(message.from)}</strong>
        <span className="faint">to {whom(message)}</span>
        {message.kind === 'note' && message.from !== LEAD && <span className="faint note">note</span>}
        <span className="grow" />
        {message.edited && text === message.text && <span className="faint note">edited</span>}
        {word !== null && <span className="faint note">{word}</span>}
        <span className="faint note">
          <Ago at={message.at} />
        </span>
      </header>
      <div className={withdrawn ? styles.chatWithdrawn : ''}>
        {mine ? <FoldedText text={text} lines={8} /> : <AgentText text={text} />}
      </div>
      {thread === null &&
        earlier.map((one) => (
          <Fold key={one.text} head={`${one.names.map(nameOf).join(', ')} got it before the change`}>
            <FoldedText text={one.text} lines={8} />
          </Fold>
        ))}
    </article>
  );
});

const MOST_NAMES = 3;

function whom(message: TeamMessage): string {
  const names = Object.keys(message.deliveries).map((name) => (name === OPERATOR ? 'you' : nameOf(name)));
  // The operator's own words without another recipient are a note to themselves.
  if (message.from === OPERATOR && names.every((name) => name === 'you')) return 'the team';
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}

function Notice({ message }: { message: TeamMessage }) {
  return (
    <p className={chatStyles.chatHappened}>
      <span className="status grey">
        <Glyph of={Info} size={13} />
      </span>
      <span className="reads">{message.text}</span>
      <span className="faint note">
        <Ago at={message.at} />
      </span>
    </p>
  );
}
