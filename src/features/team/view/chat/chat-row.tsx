import { GateInPlace } from '@areas/gates/view/parts/gate-in-place';
import type { RunState } from '@contract/run/state';
import { hashOf } from '@renderer/client/route';
import { useCaps } from '@renderer/parts/controls/act';
import { Ago } from '@renderer/parts/text/ago';
import { Button } from '@renderer/ui/controls/button';
import { Glyph } from '@renderer/ui/controls/icon';
import { CircleCheck, CircleDot, CircleX } from 'lucide-react';
import { teamIsLive } from '../../contract/summary';
import type { MemberActs } from '../acts';
import type { ThreadPlace } from '../place';
import { nameOf } from '../words';
import chatStyles from './chat.module.css';
import styles from './chat-row.module.css';
import { LiveRow } from './live-row';
import { MergeCard } from './merge-card';
import { MessageRow } from './message-row';
import { ResultCard } from './result-card';
import type { ChatRow } from './rows';

interface ChatRowProps {
  readonly row: ChatRow;
  readonly at: ThreadPlace & { readonly activationId: number };
  readonly state: RunState;
  /** The gate that the inbox's keys apply to. */
  readonly keyed: number | null;
  readonly acts: MemberActs;
  /** The member that keys apply to. */
  readonly means: string | null;
  readonly onEarlier: () => void;
}

export function ChatRowView({ row, at, state, keyed, acts, means, onEarlier }: ChatRowProps) {
  const { runId, activationId } = at;
  switch (row.kind) {
    case 'earlier':
      return <Earlier onEarlier={onEarlier} />;
    case 'message':
      return <MessageRow message={row.message} thread={at.thread} />;
    case 'result': {
      const { message, member, round, open } = row;
      const card = { runId, state, message, member, round, open };
      return <ResultCard {...card} acts={acts} keys={means === member.name} />;
    }
    case 'happened':
      return <Happened row={row} />;
    case 'gate':
      return (
        <div className={chatStyles.chatBlock}>
          {row.who !== null && at.thread !== row.who && <strong>{nameOf(row.who)}</strong>}
          <GateInPlace runId={runId} gate={row.gate} keys={row.gate.id === keyed} />
        </div>
      );
    case 'merge':
      return (
        <MergeCard
          runId={runId}
          activationId={activationId}
          merge={row.merge}
          acts={acts}
          live={teamIsLive(state, activationId)}
          run={hashOf('run', state.uid)}
        />
      );
    case 'live':
      return (
        <LiveRow
          runId={runId}
          who={row.who}
          turn={row.turn}
          waits={row.waits}
          whole={at.thread === row.who}
        />
      );
  }
}

function Earlier({ onEarlier }: { onEarlier: () => void }) {
  const caps = useCaps('team.earlier');
  return (
    <div className={styles.chatEarlier}>
      <Button tone="ghost" caps={caps} onClick={onEarlier}>
        Show earlier messages
      </Button>
    </div>
  );
}

const TONES = { plain: CircleDot, done: CircleCheck, failed: CircleX };

function Happened({ row }: { row: Extract<ChatRow, { kind: 'happened' }> }) {
  return (
    <p className={chatStyles.chatHappened}>
      <span className={`status ${row.tone === 'plain' ? 'grey' : row.tone}`}>
        <Glyph of={TONES[row.tone]} size={13} />
      </span>
      <span>{row.text}</span>
      {row.why !== null && (
        <span className="faint cut" title={row.why}>
          {row.why}
        </span>
      )}
      <span className="faint note">
        <Ago at={row.at} />
      </span>
    </p>
  );
}
