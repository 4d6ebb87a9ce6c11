import { type AppError, appError } from '@contract/errors';
import type { RunRow } from '@contract/run/procedures';
import type { RunState } from '@contract/run/state';
import { useMemo, useRef } from 'react';
import { useRoute, useRun, useRunStatus, wholeRun } from '../../client/hooks';
import { hashOf, replaceRoute } from '../../client/route';
import { ErrorNote } from '../../parts/error-note';
import type { StackHandle } from '../../ui/stack';
import { Outline } from './outline';
import { RunHead } from './run-head';
import styles from './run-page.module.css';
import { RunResult } from './run-result';
import { RunReturned } from './run-returned';
import { rowFor, timelineRows } from './timeline';
import { Timeline } from './timeline-view';

/** One run: what it is, its steps in the order of the graph, and all that happened. */
export function RunPage({ row }: { row: RunRow }) {
  const state = useRun(row.id, wholeRun);
  const { error, row: fresh } = useRunStatus(row.id);
  const shown = fresh ?? row;
  const { unreadable } = shown;
  return (
    <article className="pane run-page" aria-label={`Run ${row.name}`}>
      <RunHead
        row={shown}
        state={state}
        unread={unreadable !== undefined || (error !== null && state === null)}
      />
      {error && <ErrorNote error={error} />}
      {unreadable !== undefined && <ErrorNote error={unreadableError(unreadable)} />}
      {state && <RunReturned state={state} />}
      {state && !state.binned && <RunResult runId={row.id} state={state} />}
      {state && <RunBody row={row} state={state} />}
    </article>
  );
}

const unreadableError = ({ seq, why }: NonNullable<RunRow['unreadable']>): AppError =>
  appError(
    'store.damaged',
    `The history of this run cannot be read from event ${seq} on (${why}). You see the run as it was before that event.`,
    { mend: 'Export the run to keep all of it. Cancel it to end it; then you can put it into the bin.' },
  );

interface RunBodyProps {
  readonly row: RunRow;
  readonly state: RunState;
}

function RunBody({ row, state }: RunBodyProps) {
  const { path } = useRoute();
  const timeline = useRef<StackHandle>(null);
  const rows = useMemo(() => timelineRows(state), [state]);
  const [, , kind = '', id = ''] = path;
  const current = path[0] === 'run' && kind !== '' ? rowFor(rows, kind, id) : null;
  const goTo = (kind: string, id: string | number) => {
    replaceRoute(hashOf('run', row.uid, kind, id));
    const key = rowFor(rows, kind, String(id));
    if (key) timeline.current?.reveal(key);
  };
  return (
    <div className={styles.runBody}>
      <Outline state={state} onStep={(stepKey) => goTo('step', stepKey)} />
      <Timeline runId={row.id} state={state} rows={rows} current={current} handle={timeline} onGo={goTo} />
    </div>
  );
}
