import type { LostHost } from '@areas/hosts/contract/lost-host';
import { Chained } from '@areas/sessions/view/parts/chain';
import { Turn, turnWord } from '@areas/sessions/view/parts/turn';
import { turnMark } from '@areas/sessions/view/parts/turn-mark';
import type { GateState, SessionState, TurnState } from '@contract/run/state';
import { turnTitle } from '@contract/run/turn/turn-title';
import { copyAddress } from '@renderer/parts/controls/copy';

interface TurnRowProps {
  readonly runId: number;
  readonly turn: TurnState;
  readonly gates: readonly GateState[];
  readonly session: SessionState | undefined;
  readonly onlyGate: number | null;
  readonly lost: LostHost | null;
}

/** One prompt and its answer. */
export function TurnRow({ runId, turn, gates, session, onlyGate, lost }: TurnRowProps) {
  const [uid] = session?.key.split('/') ?? [];
  const waits = gates.some((gate) => gate.status === 'open');
  return (
    <Chained mark={turnMark(turn)} tone={waits ? 'waits' : turnWord(turn, gates).tone}>
      <Turn
        runId={runId}
        turn={turn}
        title={turnTitle(turn)}
        gates={gates}
        keyedGate={onlyGate}
        lost={lost}
        onCopy={uid === undefined ? null : () => copyAddress('run', uid, 'turn', turn.id)}
      />
    </Chained>
  );
}
