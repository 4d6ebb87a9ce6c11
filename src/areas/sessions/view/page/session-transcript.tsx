import { GateInPlace } from '@areas/gates/view/parts/gate-in-place';
import { lostHostOf } from '@areas/hosts/contract/reduce';
import { Trail } from '@areas/runs/view/parts/cards/trail';
import type { RunState, SessionState } from '@contract/run/state';
import { turnTitle } from '@contract/run/turn/turn-title';
import { useRoute } from '@renderer/client/hooks';
import { formatRoute, replaceRoute } from '@renderer/client/route';
import { copyAddress } from '@renderer/parts/controls/copy';
import { Glyph } from '@renderer/ui/controls/icon';
import type { StackHandle } from '@renderer/ui/lists/stack';
import { Hand } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Chained } from '../parts/chain';
import { Turn, turnWord } from '../parts/turn';
import { turnMark } from '../parts/turn-mark';
import styles from './session-transcript.module.css';
import { onlyOpenGate, rowKey, type SessionTurnRow, sessionRows } from './turns';

interface TranscriptProps {
  readonly runId: number;
  readonly state: RunState;
  readonly session: SessionState;
  /** It has a terminal to show. */
  readonly terminal: boolean;
}

/** The whole transcript of a session; while it works its end stays visible. */
export function SessionTranscript({ runId, state, session, terminal }: TranscriptProps) {
  const { path, query } = useRoute();
  const handle = useRef<StackHandle>(null);
  // The reducer changes the state in place: the rows are computed at each render.
  const rows = sessionRows(state, session);
  const [kind = '', id = ''] = path.slice(3);
  const current = path[0] === 'session' && kind !== '' ? rowKey(rows, kind, id) : null;
  const live = session.turnIds.some((id) => state.turns[id]?.status === 'in_flight');
  const last = rows.findLast((row) => row.kind === 'turn') ?? null;
  const first = useRef(current ?? (live ? null : (last?.key ?? null)));
  const shown = useRef(current);
  useFollowOwn(last, handle);
  useEffect(() => {
    if (current !== null && current !== shown.current) handle.current?.reveal(current);
    shown.current = current;
  }, [current]);
  const go = (row: SessionTurnRow) => {
    const at = ['session', String(runId), String(session.id), ...row.key.split('/')];
    replaceRoute(formatRoute({ path: at, query }));
    handle.current?.reveal(row.key);
  };
  if (rows.length === 0)
    return <p className={`faint ${styles.sessionNothing}`}>No prompt has been sent to this session.</p>;
  const keyed = onlyOpenGate(state, session.id);
  const copy =
    current === null ? null : () => copyAddress('session', runId, session.id, ...current.split('/'));
  return (
    <Trail
      label="Transcript"
      part="session-transcript"
      className={`timeline ${styles.sessionTranscript}`}
      rows={rows}
      current={current}
      handle={handle}
      live={live}
      first={first.current}
      keys={['turn.next', 'turn.previous']}
      isStop={(row) => row.kind !== 'step'}
      onGo={go}
      handlers={{ 'turn.copy': copy }}
      draw={(row) => (
        <Row row={row} runId={runId} state={state} sessionId={session.id} keyed={keyed} terminal={terminal} />
      )}
    />
  );
}

/** The operator's own new prompt and its answer are shown, whatever the scroll position. */
function useFollowOwn(last: SessionTurnRow | null, handle: React.RefObject<StackHandle | null>): void {
  const turn = last?.kind === 'turn' ? last.turn : null;
  const seen = useRef(turn?.id);
  useEffect(() => {
    if (turn?.id !== seen.current && turn?.kind === 'operator') handle.current?.follow();
    seen.current = turn?.id;
  }, [turn?.id, turn?.kind, handle]);
}

interface RowProps {
  readonly row: SessionTurnRow;
  readonly runId: number;
  readonly state: RunState;
  readonly sessionId: number;
  readonly keyed: number | null;
  readonly terminal: boolean;
}

function Row({ row, runId, state, sessionId, keyed, terminal }: RowProps) {
  if (row.kind === 'step') {
    return (
      <h2 className={styles.sessionStep}>
        {row.title}
        {row.attempt > 1 && <span className="faint"> round {row.attempt}</span>}
        {row.role !== null && <span className="faint"> as {row.role}</span>}
      </h2>
    );
  }
  if (row.kind === 'gate') {
    const { gate } = row;
    return (
      <Chained mark={<Glyph of={Hand} size={11} />} tone={gate.status === 'open' ? 'waits' : 'grey'}>
        <GateInPlace runId={runId} gate={gate} keys={gate.id === keyed} />
      </Chained>
    );
  }
  const { turn, gates } = row;
  return (
    <Chained mark={turnMark(turn)} tone={turnWord(turn, gates).tone}>
      <Turn
        runId={runId}
        turn={turn}
        title={turnTitle(turn)}
        gates={gates}
        keyedGate={keyed}
        lost={lostHostOf(state, turn)}
        onCopy={() => copyAddress('session', runId, sessionId, 'turn', turn.id)}
        terminal={terminal ? terminalsHash(runId, sessionId) : undefined}
      />
    </Chained>
  );
}

const terminalsHash = (runId: number, sessionId: number): string =>
  formatRoute({ path: ['session', String(runId), String(sessionId)], query: { show: 'terminals' } });
