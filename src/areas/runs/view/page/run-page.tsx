import type { CanvasCable } from '@areas/workflows/view/parts/canvas/graph/graph';
import { usePaced } from '@areas/workflows/view/parts/canvas/run/use-paced';
import { type AppError, appError } from '@contract/errors';
import type { RunRow } from '@contract/run/procedures';
import type { RunState } from '@contract/run/state';
import { useMoment, useRoute, useRunStatus } from '@renderer/client/hooks';
import { hashOf, replaceRoute, setQuery, withQuery } from '@renderer/client/route';
import { momentNow } from '@renderer/client/runs/moment';
import { CANVAS_PACE_MS } from '@renderer/limits';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { PastOf } from '@renderer/parts/text/shown-time';
import { Tabs } from '@renderer/ui/controls/tabs';
import type { StackHandle } from '@renderer/ui/lists/stack';
import { lazy, memo, Suspense, useCallback, useMemo, useRef } from 'react';
import { Outline } from '../outline/outline';
import { Replay, useShownRun } from '../parts/scrubber/shown-run';
import { RunResult } from '../result/run-result';
import { RunReturned } from '../result/run-returned';
import { CableSide, OutputValue } from '../side/cable-side';
import { StepSide } from '../side/step-side';
import { useWorkKeys } from '../side/work-side';
import { Timeline } from '../timeline/timeline';
import { rowFor, timelineRows } from '../timeline/timeline-rows';
import { Comparison } from './comparison';
import { RunHead } from './run-head';
import styles from './run-page.module.css';

/** One run: its head, its steps in the order of the graph, and its history. */
export function RunPage({ row }: { row: RunRow }) {
  const other = useRoute().query.with ?? '';
  const { state, moment, past } = useShownRun(row.id);
  const { error, row: fresh } = useRunStatus(row.id, moment);
  const shown = fresh ?? row;
  const { unreadable } = shown;
  return (
    <article className="pane run-page" aria-label={`Run ${row.name}`}>
      <RunHead
        row={shown}
        state={state}
        past={moment !== null}
        unread={unreadable !== undefined || (error !== null && state === null)}
      />
      <Replay runId={row.id} />
      {error && <ErrorNote error={error} />}
      {unreadable !== undefined && <ErrorNote error={unreadableError(unreadable)} />}
      {state && <RunReturned runId={row.id} state={state} />}
      {state && !state.binned && moment === null && <RunResult runId={row.id} state={state} />}
      {other !== '' && moment === null && <Comparison row={row} other={other} />}
      {state && (other === '' || moment !== null) && (
        <PastOf value={past}>
          <Shown row={row} state={state} />
        </PastOf>
      )}
    </article>
  );
}

const unreadableError = ({ seq, why }: NonNullable<RunRow['unreadable']>): AppError =>
  appError(
    'store.damaged',
    `The history of this run cannot be read from event ${seq} on (${why}). You see the run as it was before that event.`,
    { mend: 'Export the run to keep all of it. Cancel it to end it; then you can move it to the bin.' },
  );

interface RunBodyProps {
  readonly row: RunRow;
  readonly state: RunState;
}

const RunCanvas = lazy(async () => ({
  default: memo((await import('@areas/workflows/view/parts/canvas/run-canvas')).RunCanvas),
}));

/** The run as a timeline, or on the canvas of its workflow. */
function Shown({ row, state }: RunBodyProps) {
  const { query } = useRoute();
  const shown = query.show === 'canvas' ? 'canvas' : 'timeline';
  useWorkKeys();
  const onStep = useCallback((key: string | null) => setQuery({ step: key ?? '' }), []);
  return (
    <>
      <div className={styles.runTabs}>
        <Tabs
          label="Show"
          value={shown}
          tabs={[
            { id: 'timeline', label: 'Timeline' },
            { id: 'canvas', label: 'Canvas' },
          ]}
          onChange={(show) => setQuery({ show: show === 'canvas' ? show : '' })}
        />
      </div>
      {shown === 'timeline' ? (
        <RunBody row={row} state={state} />
      ) : (
        <Suspense fallback={<div className="grow" aria-busy="true" />}>
          <PacedCanvas row={row} state={state} step={query.step || null} onStep={onStep} />
        </Suspense>
      )}
    </>
  );
}

interface PacedCanvasProps extends RunBodyProps {
  readonly step: string | null;
  readonly onStep: (key: string | null) => void;
}

/** From this number of steps on, drawing the changes of one event takes a good part of a frame. */
const MANY_STEPS = 100;

/** The canvas of a run. A large active one is drawn a few times a second; its past without delay. */
function PacedCanvas({ row, state, step, onStep }: PacedCanvasProps) {
  const moment = useMoment();
  const everyMs = moment === null && state.definition.steps.length >= MANY_STEPS ? CANVAS_PACE_MS : 0;
  const latest = useMemo(() => ({ row, state }), [row, state]);
  const shown = usePaced(latest, everyMs);
  const drawing = useMemo(() => drawingOf(shown), [shown]);
  return <RunCanvas {...drawing} step={step} onStep={onStep} />;
}

const drawingOf = ({ row, state }: RunBodyProps) => ({
  uid: row.uid,
  state,
  drawStep: (key: string | null, title: string) => (
    <StepSide row={row} state={state} stepKey={key} title={title} />
  ),
  drawOutput: (key: string | null, port: string) => (
    <OutputValue runId={row.id} state={state} stepKey={key} port={port} />
  ),
  drawCable: (cable: CanvasCable, from: string | null) => (
    <CableSide runId={row.id} state={state} cable={cable} from={from} />
  ),
});

function RunBody({ row, state }: RunBodyProps) {
  const { path, query } = useRoute();
  const timeline = useRef<StackHandle>(null);
  const rows = useMemo(() => timelineRows(state), [state]);
  const [, , kind = '', id = ''] = path;
  const current = path[0] === 'run' && kind !== '' ? rowFor(rows, kind, id) : null;
  const goTo = (kind: string, id: string | number) => {
    const at = String(momentNow() ?? '');
    replaceRoute(withQuery(hashOf('run', row.uid, kind, id), { at, side: query.side ?? '' }));
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
