import type { GateRow } from '@areas/gates/contract/procedures';
import { useClock, useReadable } from '@renderer/client/hooks';
import { runList } from '@renderer/client/lists/lists';
import { hashOf } from '@renderer/client/route';
import { JUST_DECIDED_MS } from '@renderer/limits';
import { Marked } from '@renderer/parts/marks/marks';
import { Ago } from '@renderer/parts/text/ago';
import { answerWord } from '@renderer/parts/words/status-words';
import { useMemo } from 'react';
import styles from './last-decision.module.css';

/** The gate that was decided last: its answer, and what its run does now. */
export function LastDecision({ gate }: { gate: GateRow | null }) {
  const recent = useClock((now) => gate !== null && now - (gate.closedAt ?? 0) < JUST_DECIDED_MS);
  const runs = useReadable(useMemo(() => runList({ binned: false }).view, []));
  if (gate === null || !recent || gate.answer === null) return null;
  const run = runs.rows.find((run) => run.id === gate.runId);
  const effect = gate.options.find((option) => option.id === gate.answer?.option)?.effect;
  return (
    <p className={styles.lastDecision} role="status">
      <Marked word={answerWord(gate.options, gate.answer)} />
      <span className="cut grow">
        {gate.title}{' '}
        <span className="quiet">{run?.now && run.status === 'running' ? `Now: ${run.now}` : effect}</span>
      </span>
      <a href={hashOf('run', gate.runId, 'gate', gate.gateId)}>See it</a>
      {gate.closedAt !== null && (
        <span className="faint">
          <Ago at={gate.closedAt} />
        </span>
      )}
    </p>
  );
}
