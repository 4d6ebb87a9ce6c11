import { firstLine } from '@renderer/client/format';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { sendCaps } from '@renderer/parts/controls/act';
import { Ago } from '@renderer/parts/text/ago';
import { Button } from '@renderer/ui/controls/button';
import { TextArea } from '@renderer/ui/controls/field';
import { useEffect, useRef, useState } from 'react';
import { type Queued, queuedMessages } from '../../contract/lanes/queue';
import type { TeamState } from '../../contract/state';
import type { MemberRow } from '../../contract/summary';
import styles from './queue.module.css';

interface QueueProps {
  readonly runId: number;
  readonly team: TeamState;
  readonly thread: string | null;
  readonly members: readonly MemberRow[];
  /** Receives unfinished changes when the message was sent or the view closes. */
  readonly onCutOff: (text: string) => void;
}

/** Messages waiting for a member's turn to end: they can still be changed or withdrawn. */
export function Queue({ runId, team, thread, members, onCutOff }: QueueProps) {
  const ended = new Set(members.filter((member) => member.ended).map(({ name }) => name));
  const queued = queuedMessages(team, thread, ended);
  if (queued.length === 0) return null;
  return (
    <ul className={styles.composerQueue} aria-label="Queued messages">
      {queued.map((one) => (
        <Waiting
          key={one.message.id}
          runId={runId}
          activationId={team.activationId}
          queued={one}
          onCutOff={onCutOff}
        />
      ))}
    </ul>
  );
}

/** Hands over unsaved text when this view closes. */
function useCutOff(text: string | null, onCutOff: QueueProps['onCutOff']): void {
  const last = useRef({ text, onCutOff });
  last.current = { text, onCutOff };
  useEffect(
    () => () => {
      const { text, onCutOff } = last.current;
      if (text !== null && text.trim() !== '') onCutOff(text);
    },
    [],
  );
}

interface WaitingProps {
  readonly runId: number;
  readonly activationId: number;
  readonly queued: Queued;
  readonly onCutOff: QueueProps['onCutOff'];
}

function Waiting({ runId, activationId, queued: { message, to }, onCutOff }: WaitingProps) {
  const [edited, setEdited] = useState<string | null>(null);
  useCutOff(edited === message.text ? null : edited, onCutOff);
  const place = { runId, activationId, messageId: message.id };
  const save = async () => {
    if (edited === null || edited.trim() === '') return;
    const done = await attempt(call('team.edit', { ...place, text: edited }));
    if (done !== null) setEdited(null);
  };
  if (edited !== null) {
    return (
      <li className="queue-edit">
        <TextArea
          autoFocus
          rows={2}
          aria-label={`Message to ${to.join(', ')}`}
          value={edited}
          onChange={(event) => setEdited(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setEdited(null);
            else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        <Button tone="ghost" caps={['Esc']} onClick={() => setEdited(null)}>
          Keep it
        </Button>
        <Button caps={sendCaps} onClick={() => void save()}>
          Change
        </Button>
      </li>
    );
  }
  return (
    <li>
      <span className="quiet">Waits for {to.join(', ')}</span>
      <span className="cut grow reads" title={message.text}>
        {firstLine(message.text)}
      </span>
      {message.edited && <span className="faint note">edited</span>}
      <span className="faint note">
        <Ago at={message.at} />
      </span>
      <Button tone="ghost" onClick={() => setEdited(message.text)}>
        Edit
      </Button>
      <Button tone="ghost" onClick={() => void attempt(call('team.withdraw', place), 'Withdrawn')}>
        Withdraw
      </Button>
    </li>
  );
}
