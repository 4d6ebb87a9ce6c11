import { CardTrail, GateCard } from '@areas/runs/view/parts/cards/card-trail';
import { Chained } from '@areas/sessions/view/parts/chain';
import type { RunState } from '@contract/run/state';
import { outcomeWords } from '@renderer/parts/words/status-words';
import { Glyph } from '@renderer/ui/controls/icon';
import type { StackHandle } from '@renderer/ui/lists/stack';
import { Files, Flag } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { questionInputsOf } from '../../contract/question-inputs';
import type { RlmState } from '../../contract/state';
import { isStop, type PageRow } from '../rows';
import { Answer } from './answer';
import { Documents } from './documents';
import { IterationCard, iterationWord } from './iteration-card';

interface TrailProps {
  readonly runId: number;
  readonly state: RunState;
  readonly rlm: RlmState | undefined;
  readonly rows: readonly PageRow[];
  readonly current: string | null;
  /** The expanded row. */
  readonly open: string | null;
  readonly onGo: (key: string) => void;
  readonly onToggle: (key: string) => void;
}

/** The iterations in order, between the documents and the answer. */
export function QuestionTrail(props: TrailProps) {
  const { state, rows, current, open, onGo, onToggle } = props;
  const handle = useRef<StackHandle>(null);
  const chosen = useRef(current);
  // Scrolls only for an address from elsewhere; a click on a visible row moves nothing.
  useEffect(() => {
    if (current !== null && current !== chosen.current) handle.current?.reveal(current);
    chosen.current = current;
  }, [current]);
  const toggle = (key: string) => {
    chosen.current = key;
    onToggle(key);
  };
  return (
    <CardTrail
      label="Iterations"
      part="question-trail"
      state={state}
      rows={rows}
      current={current}
      open={open}
      handle={handle}
      keys={['iteration.next', 'iteration.previous']}
      opens={{ action: 'iteration.open', prefix: 'iteration/' }}
      isStop={isStop}
      onGo={(key) => {
        chosen.current = key;
        onGo(key);
        handle.current?.reveal(key);
      }}
      onToggle={toggle}
      draw={(row, only) => <Row {...props} row={row} only={only} onToggle={toggle} />}
    />
  );
}

type RowProps = Pick<TrailProps, 'runId' | 'state' | 'rlm' | 'open' | 'onToggle'> & {
  readonly row: PageRow;
  /** The only open gate. */
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
      return <GateCard runId={runId} runName={state.name} gate={row.gate} only={only} />;
    case 'end':
      return (
        <Chained
          mark={<Glyph of={Flag} size={11} />}
          tone={outcomeWords[row.activation.outcome ?? 'failed'].tone}
        >
          <Answer
            runId={runId}
            activation={row.activation}
            rlm={rlm}
            allowsBackground={questionInputsOf(state, row.activation.id)?.background_knowledge === true}
          />
        </Chained>
      );
  }
}
