import { Changes } from '@areas/changes/view/parts/changes';
import { bundlePieces } from '@areas/evidence/contract/bundle-pieces';
import { largePiece } from '@areas/evidence/contract/evidence';
import { Evidence } from '@areas/evidence/view/parts/evidence';
import type { RunState, TurnState } from '@contract/run/state';
import { count, money } from '@renderer/client/format';
import { useRun } from '@renderer/client/hooks';
import { hashOf } from '@renderer/client/route';
import { ActButton, ActIcon } from '@renderer/parts/controls/act';
import { Ago, Elapsed } from '@renderer/parts/text/ago';
import { resultWords } from '@renderer/parts/words/status-words';
import { Glyph } from '@renderer/ui/controls/icon';
import { Facts, Section } from '@renderer/ui/layout/facts';
import { FoldedText } from '@renderer/ui/layout/fold';
import { Copy, ListFilter, SquareArrowOutUpRight } from 'lucide-react';
import { useCallback } from 'react';
import type { UpdateRow as Row } from '../contract/procedures';
import { Deliveries } from './deliveries';
import { updateLines } from './lines';
import styles from './update-detail.module.css';

/** An update as it was sent, with the prompt, answer, changes, tests and cost of its turn. */
export function UpdateDetail({ row }: { row: Row }) {
  return (
    <article className="pane" aria-label="Update">
      <header className="detail-head">
        <div className="detail-line">
          <h2 className="cut">
            <a href={hashOf('run', row.runId)}>{row.runName}</a>
          </h2>
          <span className="faint note">
            <Ago at={row.at} />
          </span>
          <span className="grow" />
          <ActIcon action="feed.run" icon={ListFilter} label="Show only this run" />
          <ActIcon action="feed.copy" icon={Copy} label="Copy the update as it was sent" />
          <ActButton action="feed.open" icon={SquareArrowOutUpRight}>
            {row.turnId === null ? 'Open its step' : 'Open its turn'}
          </ActButton>
        </div>
      </header>
      <div className={`scroll ${styles.body}`} data-focus tabIndex={-1}>
        <Lines row={row} />
        <Deliveries eventId={row.id} />
        {row.turnId !== null && <TurnOfUpdate runId={row.runId} turnId={row.turnId} />}
        <Tests runId={row.runId} activationId={row.activationId} />
      </div>
    </article>
  );
}

/** The five lines exactly as they were sent. */
function Lines({ row }: { row: Row }) {
  const lines = updateLines(row.text).map((line, index) => ({ ...line, index }));
  const { icon, tone } = resultWords[row.update.result];
  return (
    <div className={styles.lines}>
      {lines.map((line) => (
        <div key={line.index} className={styles.line} data-part="update-line">
          <span className={`mono ${styles.label}`}>{line.label}</span>
          {line.label === 'Result:' ? (
            <span className={`status ${tone}`}>
              <Glyph of={icon} size={14} />
              <span>{line.text}</span>
            </span>
          ) : (
            <span className={`reads ${line.label === 'Commit:' ? 'mono' : ''}`}>{line.text}</span>
          )}
        </div>
      ))}
    </div>
  );
}

function TurnOfUpdate({ runId, turnId }: { runId: number; turnId: number }) {
  const turn = useRun(
    runId,
    useCallback((state: RunState) => state.turns[turnId] ?? null, [turnId]),
  );
  if (turn === null) return null;
  return (
    <>
      <Section title="Prompt">
        <FoldedText text={turn.prompt} />
      </Section>
      <Section title="Answer">
        {turn.response === '' ? (
          <p className="quiet">The turn ended without an answer.</p>
        ) : (
          <Evidence runId={runId} pieces={[largePiece('markdown', turn.response)]} />
        )}
      </Section>
      {(turn.changes?.files ?? 0) > 0 && <Changes runId={runId} of={{ kind: 'turn', turnId }} />}
      <Cost turn={turn} />
    </>
  );
}

function Cost({ turn: { usage, startedAt, finishedAt } }: { turn: TurnState }) {
  const cost = usage?.cost_usd;
  const tokens = (name: string, value: number | null | undefined) =>
    value == null ? null : { name, value: count(value) };
  return (
    <Section title="Cost">
      <Facts
        facts={[
          { name: 'Cost', value: cost == null ? 'Not reported' : money(cost) },
          tokens('Input tokens', usage?.input_tokens),
          tokens('Output tokens', usage?.output_tokens),
          { name: 'Time', value: <Elapsed from={startedAt} to={finishedAt} /> },
        ]}
      />
    </Section>
  );
}

/** Test results in the outputs of the step. */
function Tests({ runId, activationId }: { runId: number; activationId: number }) {
  const outputs = useRun(
    runId,
    useCallback((state: RunState) => state.activations[activationId]?.outputs ?? null, [activationId]),
  );
  const pieces = Object.values(outputs ?? {})
    .filter((bundle) => bundle.kind === 'tests')
    .flatMap((bundle) => bundlePieces(bundle));
  if (pieces.length === 0) return null;
  return (
    <Section title="Tests">
      <Evidence runId={runId} pieces={pieces} />
    </Section>
  );
}
