import type { GateState, SessionState, TurnState } from '@contract/run/state';
import { turnTitle } from '@contract/run/turn/turn-title';
import { copyAddress } from '../../../parts/controls/copy';
import { Chained } from '../../../parts/transcript/chain';
import { Turn, turnWord } from '../../../parts/transcript/turn';
import { turnMark } from '../../../parts/transcript/turn-mark';

interface TurnRowProps {
  readonly runId: number;
  readonly turn: TurnState;
  readonly gates: readonly GateState[];
  readonly session: SessionState | undefined;
  readonly onlyGate: number | null;
}

/** One prompt and its answer. */
export function TurnRow({ runId, turn, gates, session, onlyGate }: TurnRowProps) {
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
        onCopy={uid === undefined ? null : () => copyAddress('run', uid, 'turn', turn.id)}
      />
    </Chained>
  );
}
