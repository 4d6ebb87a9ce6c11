import { GateInPlace } from '@areas/gates/view/parts/gate-in-place';
import type { GateState } from '@contract/run/state';
import { plural } from '@renderer/client/format';
import type { Block, PlanEntry } from '@renderer/client/runs/transcript';
import { AgentText } from '@renderer/parts/text/agent-text';
import { Glyph } from '@renderer/ui/controls/icon';
import { Fold } from '@renderer/ui/layout/fold';
import { Brain, ChevronsUp, ListChecks, Square, SquareCheck, SquareDot } from 'lucide-react';
import { memo, useState } from 'react';
import { MOST_PIECES, type Piece, pieces } from './blocks';
import { ToolLine } from './tool-line';
import styles from './transcript-blocks.module.css';

interface TranscriptBlocksProps {
  readonly runId: number;
  readonly blocks: readonly Block[];
  readonly live: boolean;
  /** The answer, if the transcript has none. */
  readonly answer: string | null;
  readonly gates: readonly GateState[];
  /** The gate that the keys of the inbox apply to. */
  readonly keyedGate: number | null;
}

/** What an agent said, did and asked, in order. */
export function TranscriptBlocks({ runId, blocks, live, answer, gates, keyedGate }: TranscriptBlocksProps) {
  const [all, setAll] = useState(false);
  const found = pieces(blocks, gates);
  const hidden = all ? 0 : Math.max(0, found.length - MOST_PIECES);
  const draw = (piece: Piece) => {
    if (piece.kind === 'tools') return <Tools key={piece.key} blocks={piece.blocks} inFlight={live} />;
    if (piece.kind === 'gate') {
      return (
        <GateInPlace key={piece.key} runId={runId} gate={piece.gate} keys={piece.gate.id === keyedGate} />
      );
    }
    const isLast = live && piece.block === blocks.at(-1);
    return <BlockView key={piece.key} block={piece.block} live={isLast} inFlight={live} />;
  };
  const gatesFrom = found.findLastIndex((piece) => piece.kind !== 'gate') + 1;
  return (
    <div className={styles.transcript}>
      {hidden > 0 && <More count={hidden} what="earlier piece" onShow={() => setAll(true)} />}
      {found.slice(hidden, gatesFrom).map(draw)}
      {answer && <AgentText text={answer} />}
      {found.slice(Math.max(hidden, gatesFrom)).map(draw)}
    </div>
  );
}

interface BlockViewProps {
  readonly block: Block;
  /** It is being said. */
  readonly live: boolean;
  readonly inFlight: boolean;
}

const BlockView = memo(function BlockView({ block, live, inFlight }: BlockViewProps) {
  switch (block.kind) {
    case 'text':
      return <AgentText text={block.text} live={live} />;
    case 'thought':
      return <Thought text={block.text} live={live} />;
    case 'plan':
      return <Plan entries={block.entries} />;
    case 'notice':
      return <p className="note quiet reads">{block.text}</p>;
    case 'tool':
      return <ToolLine call={block.call} inFlight={inFlight} />;
  }
});

function Thought({ text, live }: { text: string; live: boolean }) {
  const head = (
    <>
      <Glyph of={Brain} size={13} />
      <span className="cut">
        {live ? 'Thinking' : 'Thought'}:{' '}
        {text
          .trim()
          .split('\n')
          .at(live ? -1 : 0)}
      </span>
    </>
  );
  return (
    <Fold head={head} className={styles.thought}>
      <AgentText text={text} />
    </Fold>
  );
}

const PLAN_MARKS = {
  completed: { icon: SquareCheck, word: 'done' },
  in_progress: { icon: SquareDot, word: 'in progress' },
  pending: { icon: Square, word: 'to do' },
};
const planMark = (status: string) => PLAN_MARKS[status as keyof typeof PLAN_MARKS] ?? PLAN_MARKS.pending;

function Plan({ entries }: { entries: readonly PlanEntry[] }) {
  const done = entries.filter((entry) => entry.status === 'completed').length;
  const head = (
    <>
      <Glyph of={ListChecks} size={13} />
      <span>
        Plan: {done} of {entries.length} done
      </span>
    </>
  );
  return (
    <Fold head={head} className={styles.plan} open={done < entries.length}>
      <ul>
        {entries.map((entry) => {
          const { icon, word } = planMark(entry.status);
          return (
            <li key={entry.content} className={styles.planEntry} data-status={entry.status}>
              <Glyph of={icon} size={13} />
              <span className="hidden-text">{word}: </span>
              <span>{entry.content}</span>
            </li>
          );
        })}
      </ul>
    </Fold>
  );
}

const LAST_SHOWN = 6;

interface ToolsProps {
  readonly blocks: readonly Extract<Block, { kind: 'tool' }>[];
  readonly inFlight: boolean;
}

function Tools({ blocks, inFlight }: ToolsProps) {
  const [all, setAll] = useState(false);
  const hidden = all ? 0 : Math.max(0, blocks.length - LAST_SHOWN);
  return (
    <div className={styles.tools}>
      {hidden > 0 && <More count={hidden} what="earlier tool call" onShow={() => setAll(true)} />}
      {blocks.slice(hidden).map((block) => (
        <BlockView key={block.key} block={block} live={false} inFlight={inFlight} />
      ))}
    </div>
  );
}

interface MoreProps {
  readonly count: number;
  readonly what: string;
  readonly onShow: () => void;
}

function More({ count, what, onShow }: MoreProps) {
  return (
    <button type="button" className={styles.toolMore} onClick={onShow}>
      <Glyph of={ChevronsUp} size={13} /> {plural(count, what)}
    </button>
  );
}
