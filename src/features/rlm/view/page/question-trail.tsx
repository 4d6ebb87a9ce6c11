import type { RunState } from '@contract/run/state';
import { useHandlers } from '@renderer/client/hooks';
import { GateInPlace } from '@renderer/parts/gate/gate-in-place';
import { holdsFocus, Trail } from '@renderer/parts/trail';
import { Chained } from '@renderer/parts/transcript/chain';
import { outcomeWords } from '@renderer/parts/words';
import { Glyph } from '@renderer/ui/icon';
import type { StackHandle } from '@renderer/ui/stack';
import { Files, Flag, Hand } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { RlmState } from '../../contract/state';
import { isStop, type PageRow } from '../rows';
import { Answer } from './answer';
import { Documents } from './documents';
import { IterationCard, iterationWord } from './iteration-card';
import styles from './page.module.css';

interface TrailProps {
  readonly runId: number;
  readonly state: RunState;
  readonly rlm: RlmState | undefined;
  readonly rows: readonly PageRow[];
  readonly current: string | null;
  /** The row that is open. */
  readonly open: string | null;
  readonly onGo: (key: string) => void;
  readonly onToggle: (key: string) => void;
}

/** The iterations one below the other, between the documents and the answer. */
export function QuestionTrail(props: TrailProps) {
  const { state, rows, current, open, onGo, onToggle } = props;
  const handle = useRef<StackHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const first = useRef(current);
  const chosen = useRef(current);
  const key = current ?? open;
  useHandlers(
    { 'iteration.open': key?.startsWith('iteration/') ? () => onToggle(key) : null },
    () => holdsFocus(box) && document.activeElement?.closest('button, a, input, textarea') == null,
  );
  // An address that came from elsewhere: what it names is shown. A click on what is in sight moves nothing.
  useEffect(() => {
    if (current !== null && current !== chosen.current) handle.current?.reveal(current);
    chosen.current = current;
  }, [current]);
  const waiting = Object.values(state.gates).filter((gate) => gate.status === 'open');
  const only = waiting.length === 1 ? (waiting[0]?.id ?? null) : null;
  return (
    <Trail
      label="Iterations"
      part="question-trail"
      className={styles.trail ?? ''}
      rows={rows}
      current={current}
      handle={handle}
      box={box}
      live={state.status !== 'finished'}
      first={first.current}
      keys={['iteration.next', 'iteration.previous']}
      isStop={isStop}
      onGo={(row) => {
        chosen.current = row.key;
        onGo(row.key);
        handle.current?.reveal(row.key);
      }}
      draw={(row) => (
        <Row
          {...props}
          row={row}
          only={only}
          onToggle={(one) => {
            chosen.current = one;
            onToggle(one);
          }}
        />
      )}
    />
  );
}

type RowProps = Pick<TrailProps, 'runId' | 'state' | 'rlm' | 'open' | 'onToggle'> & {
  readonly row: PageRow;
  /** The one gate that waits. */
  readonly only: number | null;
};

function Row({ row, runId, state, rlm, only, open, onToggle }: RowProps) {
  switch (row.kind) {
    case 'documents':
      return (
        <Chained mark={<Glyph of={Files} size={11} />} tone="grey">
          <Documents rlm={row.rlm} texts={Object.values(state.promptFiles ?? {})} />
        </Chained>
      );
    case 'iteration':
      return (
        <Chained mark={row.number} tone={iterationWord(row).tone}>
          <IterationCard
            runId={runId}
            row={row}
            open={open === row.key || row.gates.some((gate) => gate.status === 'open')}
            keyedGate={only}
            onToggle={() => onToggle(row.key)}
          />
        </Chained>
      );
    case 'gate':
      return (
        <Chained mark={<Glyph of={Hand} size={11} />} tone={row.gate.status === 'open' ? 'waits' : 'grey'}>
          <GateInPlace runId={runId} gate={row.gate} keys={row.gate.id === only} />
        </Chained>
      );
    case 'end':
      return (
        <Chained
          mark={<Glyph of={Flag} size={11} />}
          tone={outcomeWords[row.activation.outcome ?? 'failed'].tone}
        >
          <Answer runId={runId} activation={row.activation} rlm={rlm} />
        </Chained>
      );
  }
}
