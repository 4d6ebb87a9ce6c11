import { CardHead } from '@areas/runs/view/parts/cards/card-head';
import { Turn, turnWord } from '@areas/sessions/view/parts/turn';
import { plural, spend } from '@renderer/client/format';
import { Marked } from '@renderer/parts/marks/marks';
import { Elapsed } from '@renderer/parts/text/ago';
import { callsIn, spentBetween } from '../../contract/summary';
import { endOfIteration, type PageRow } from '../rows';
import { blockWord } from '../words';
import { BlockCard } from './block-card';
import styles from './page.module.css';

type IterationRow = Extract<PageRow, { kind: 'iteration' }>;

/** An iteration's status: its running turn, else its last block. */
export function iterationWord({ turn, blocks, gates }: IterationRow) {
  const last = blocks.at(-1);
  return last === undefined ? turnWord(turn, gates) : blockWord(last);
}

interface IterationCardProps {
  readonly runId: number;
  readonly row: IterationRow;
  readonly open: boolean;
  readonly keyedGate: number | null;
  readonly onToggle: () => void;
}

/** One iteration: the model's text, and its blocks with their sub-calls and output. */
export function IterationCard({ runId, row, open, keyedGate, onToggle }: IterationCardProps) {
  const { number, isLast, turn, blocks, gates } = row;
  const name = isLast ? 'Last call' : `Iteration ${number}`;
  const { tokens, costUsd } = spentBetween([turn], blocks);
  const calls = callsIn(blocks).length;
  const facts = [
    blocks.length === 0 ? '' : plural(blocks.length, 'block'),
    calls === 0 ? '' : plural(calls, 'sub-call'),
    spend(tokens, costUsd ?? 0),
  ].filter((part) => part !== '');
  return (
    <section className={styles.iteration} aria-label={name}>
      <CardHead name={name} open={open} onToggle={onToggle}>
        <Marked word={iterationWord(row)} />
        <span className="grow" />
        <span className="faint note">{facts.join(' · ')}</span>
        <span className="faint note">
          <Elapsed from={turn.startedAt} to={endOfIteration(row)} />
        </span>
      </CardHead>
      {open && (
        <>
          <Turn
            runId={runId}
            turn={turn}
            title="Root model"
            gates={gates}
            keyedGate={keyedGate}
            onCopy={null}
          />
          {blocks.map((block) => (
            <BlockCard key={block.block} runId={runId} block={block} />
          ))}
        </>
      )}
    </section>
  );
}
