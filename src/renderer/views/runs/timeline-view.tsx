import type { RunState } from '@contract/run/state';
import { type RefObject, useRef } from 'react';
import { useHandlers } from '../../client/hooks';
import { copyAddress } from '../../parts/copy';
import { Stack, type StackHandle } from '../../ui/stack';
import { ActivationHead } from './activation-head';
import { ActivationResult } from './activation-result';
import { CommandRow } from './command-row';
import { GateRow } from './gate-row';
import { RunFinish, RunStart, TimerRow } from './run-ends';
import { isStop, type TimelineRow } from './timeline';
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
  useTimelineKeys({ rows, current, onGo, handle, uid: state.uid });
  const only = onlyOpenGate(state);
  return (
    <div className="timeline" data-nav>
      <Stack
        label="What happened"
        rows={rows}
        handle={handle}
        live={state.status !== 'finished'}
        first={first.current}
        draw={(row) => (
          <div
            className={row.key === current ? 'current' : ''}
            aria-current={row.key === current ? 'location' : undefined}
          >
            <Row row={row} state={state} runId={runId} only={only} />
          </div>
        )}
      />
    </div>
  );
}

/** The one gate that waits: where there is no other, the keys of the inbox mean it here too. */
function onlyOpenGate(state: RunState): number | null {
  const open = Object.values(state.gates).filter((gate) => gate.status === 'open');
  return open.length === 1 ? (open[0]?.id ?? null) : null;
}

type KeysProps = Pick<TimelineProps, 'rows' | 'current' | 'onGo' | 'handle'> & { readonly uid: string };

function useTimelineKeys({ rows, current, onGo, handle, uid }: KeysProps): void {
  // From the row that is chosen, else from what is in sight.
  const step = (by: 1 | -1) => () => {
    const key = current ?? handle.current?.top();
    const at = rows.findIndex((row) => row.key === key);
    const after = (row: TimelineRow, index: number) => index > at && isStop(row);
    const before = (row: TimelineRow, index: number) => index < at && isStop(row);
    go(by === 1 ? rows.find(after) : rows.findLast(before));
  };
  const go = (row: TimelineRow | undefined) => {
    const [kind, id] = row?.key.split('/') ?? [];
    if (kind && id) onGo(kind, id);
  };
  const inside = () => document.activeElement?.closest('[data-nav]') != null;
  useHandlers(
    {
      'turn.next': step(1),
      'turn.previous': step(-1),
      'turn.copy': current === null ? null : () => copyAddress('run', uid, ...current.split('/')),
    },
    inside,
  );
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
        />
      );
    case 'command':
      return <CommandRow runId={runId} command={row.command} />;
    case 'gate':
      return (
        <GateRow
          runId={runId}
          gate={row.gate}
          keys={row.gate.id === only}
          chained={row.activationId !== null}
        />
      );
    case 'timer':
      return <TimerRow timer={row.timer} />;
    case 'result':
      return <ActivationResult activation={row.activation} />;
    case 'finish':
      return <RunFinish state={state} />;
  }
}
