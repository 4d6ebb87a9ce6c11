import type { RunState } from '@contract/run/state';
import { Marked } from '@renderer/parts/marks/marks';
import { Elapsed } from '@renderer/parts/text/ago';
import { Bar } from '@renderer/ui/controls/status';
import { Tree } from '@renderer/ui/lists/tree';
import { useMemo, useState } from 'react';
import styles from './outline.module.css';
import { type Opened, type OutlineRow, outlineRows } from './outline-rows';

interface OutlineProps {
  readonly state: RunState;
  readonly onStep: (stepKey: string) => void;
}

const NONE: Opened = new Map();

/**
 * The steps in the order of the graph, each with its current state and the passes, items and steps inside it.
 */
export function Outline({ state, onStep }: OutlineProps) {
  const [opened, setOpened] = useState(NONE);
  const rows = useMemo(() => outlineRows(state, opened), [state, opened]);
  const toggle = ({ key }: OutlineRow, open: boolean) => setOpened(new Map([...opened, [key, open]]));
  return (
    <nav className={styles.outline} aria-label="Steps">
      <h2>Steps</h2>
      <Tree
        label="Steps"
        rows={rows}
        draw={(row) => <Row row={row} />}
        onOpen={(row) =>
          row.kind === 'scope' ? toggle(row, row.open !== true) : row.now.last !== null && onStep(row.stepKey)
        }
        onToggle={toggle}
      />
    </nav>
  );
}

function Row({ row }: { row: OutlineRow }) {
  if (row.kind === 'scope') {
    return (
      <div className={styles.step}>
        <Marked word={row.word} markOnly />
        <span className="cut quiet">{row.title}</span>
        {row.note !== null && (
          <span className={`${styles.note} cut`} title={row.note}>
            {row.note}
          </span>
        )}
      </div>
    );
  }
  const { now, note, attempts, title } = row;
  return (
    <div className={`${styles.step} ${now.last === null ? styles.pending : ''}`}>
      <Marked word={now.word} markOnly />
      <span className="cut" title={title}>
        {title}
      </span>
      {attempts > 1 && <span className="count" title={`Ran ${attempts} times`}>{`×${attempts}`}</span>}
      {(now.last !== null || note !== null) && (
        <span className={`${styles.note} cut`} title={note ?? undefined}>
          {note}
          {note !== null && now.last !== null && ' · '}
          {now.last && <Elapsed from={now.last.startedAt} to={now.last.finishedAt} />}
        </span>
      )}
      {now.part !== null && <Bar part={now.part} label="Prompts done" />}
    </div>
  );
}
