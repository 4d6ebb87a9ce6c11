import { lostHostOf } from '@areas/hosts/contract/reduce';
import type { ActivationState, RunState } from '@contract/run/state';
import { copyAddress } from '@renderer/parts/controls/copy';
import type { StackHandle } from '@renderer/ui/lists/stack';
import { type RefObject, useRef } from 'react';
import { Trail } from '../parts/cards/trail';
import { ActivationHead } from './activation-head';
import { ActivationResult } from './activation-result';
import { CommandRow } from './command-row';
import { GateRow } from './gate-row';
import { RunFinish, RunStart, TimersRow } from './run-ends';
import { isStop, type TimelineRow } from './timeline-rows';
import { TurnRow } from './turn-row';

interface TimelineProps {
  readonly runId: number;
  readonly state: RunState;
  readonly rows: readonly TimelineRow[];
  readonly current: string | null;
  readonly handle: RefObject<StackHandle | null>;
  readonly onGo: (kind: string, id: string) => void;
}

export function Timeline({ runId, state, rows, current, handle, onGo }: TimelineProps) {
  const first = useRef(current);
  const only = onlyOpenGate(state);
  const go = (row: TimelineRow) => {
    const [kind, id] = row.key.split('/');
    if (kind && id) onGo(kind, id);
  };
  return (
    <Trail
      label="What happened"
      part="timeline"
      className="timeline"
      rows={rows}
      current={current}
      handle={handle}
      live={state.status !== 'finished'}
      first={first.current}
      keys={['turn.next', 'turn.previous']}
      isStop={isStop}
      onGo={go}
      handlers={{
        'turn.copy': current === null ? null : () => copyAddress('run', state.uid, ...current.split('/')),
      }}
      draw={(row) => <Row row={row} state={state} runId={runId} only={only} />}
    />
  );
}

/** The only open gate: the keys of the inbox apply to it here too. */
function onlyOpenGate(state: RunState): number | null {
  const open = Object.values(state.gates).filter((gate) => gate.status === 'open');
  return open.length === 1 ? (open[0]?.id ?? null) : null;
}

interface RowProps {
  readonly row: TimelineRow;
  readonly state: RunState;
  readonly runId: number;
  readonly only: number | null;
}

function Row({ row, state, runId, only }: RowProps) {
  switch (row.kind) {
    case 'start':
      return <RunStart state={state} />;
    case 'activation':
      return <ActivationHead activation={row.activation} step={row.step} state={state} />;
    case 'turn':
      return (
        <TurnRow
          runId={runId}
          turn={row.turn}
          gates={row.gates}
          session={state.sessions[row.turn.sessionId]}
          onlyGate={only}
          lost={lostHostOf(state, row.turn)}
        />
      );
    case 'command':
      return <CommandRow runId={runId} command={row.command} lost={lostHostOf(state, row.command)} />;
    case 'gate':
      return (
        <GateRow
          runId={runId}
          gate={row.gate}
          keys={row.gate.id === only}
          chained={row.activationId !== null}
        />
      );
    case 'timers':
      return <TimersRow timers={row.timers} />;
    case 'result':
      return (
        <ActivationResult runId={runId} activation={row.activation} told={lastError(state, row.activation)} />
      );
    case 'finish':
      return <RunFinish state={state} />;
  }
}

const lastError = (state: RunState, { turnIds }: ActivationState): string | null =>
  state.turns[turnIds.at(-1) ?? 0]?.error?.message ?? null;
