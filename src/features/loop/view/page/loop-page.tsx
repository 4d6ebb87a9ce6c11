import { useCancelRun } from '@areas/runs/view/parts/cancel-run';
import { Replay, useShownRun } from '@areas/runs/view/parts/scrubber/shown-run';
import type { RunState } from '@contract/run/state';
import { useRoute, useRunStatus } from '@renderer/client/hooks';
import { replaceRoute, setQuery } from '@renderer/client/route';
import { atMoment } from '@renderer/client/runs/moment';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { PastOf } from '@renderer/parts/text/shown-time';
import type { StackHandle } from '@renderer/ui/lists/stack';
import { useEffect, useMemo, useRef } from 'react';
import { loopForecast } from '../../contract/costs';
import type { LoopState } from '../../contract/state';
import { type LoopRow, loopRow } from '../../contract/summary';
import { LogsPane } from '../logs/logs-pane';
import { attemptOfRow, hashOfLoop, type LoopAt } from '../place';
import { openByItself, storyRows, timelineRows } from '../rows';
import { AttemptTimeline } from './attempt-timeline';
import { LoopHead } from './loop-head';
import styles from './loop-page.module.css';
import { Opening } from './opening';
import { Stories } from './stories';
import { useLoopActions } from './use-loop-actions';

interface LoopPageProps {
  readonly at: LoopAt;
  /** The loop's list row; null if the loop is older than the list. */
  readonly row: LoopRow | null;
  /** The timeline row named in the address. */
  readonly current: string | null;
}

/** One loop: its stories, its attempts, and open questions in place. */
export function LoopPage({ at, row, current }: LoopPageProps) {
  const { state, moment, past } = useShownRun(at.runId);
  const { error, row: run } = useRunStatus(at.runId, moment);
  const activation = state?.activations[at.activationId];
  const fresh = useMemo(() => {
    // The list row has the loop's current state.
    if (state === null || activation === undefined) return moment === null ? row : null;
    const facts = { runId: at.runId, runUid: state.uid, runName: state.name };
    return loopRow(state, activation, { ...facts, projectName: run?.projectName ?? row?.projectName ?? '' });
  }, [state, activation, row, run, moment, at.runId]);
  const loop = state?.loops[at.activationId];
  const forecast = useMemo(
    () => (state === null || loop === undefined ? null : loopForecast(state, loop)),
    [state, loop],
  );
  return (
    <article className={`pane ${styles.loopPage}`} aria-label={`Loop ${fresh?.title ?? at.runId}`}>
      <PastOf value={past}>
        {fresh && <LoopHead row={fresh} error={activation?.error ?? null} forecast={forecast} />}
        <Replay runId={at.runId} />
        {error && <ErrorNote error={error} />}
        {state && loop && fresh ? (
          <LoopBody at={at} row={fresh} state={state} loop={loop} current={current} />
        ) : (
          state && <Opening state={state} />
        )}
      </PastOf>
    </article>
  );
}

interface LoopBodyProps {
  readonly at: LoopAt;
  readonly row: LoopRow;
  readonly state: RunState;
  readonly loop: LoopState;
  readonly current: string | null;
}

function LoopBody({ at, row, state, loop, current }: LoopBodyProps) {
  const { query } = useRoute();
  const handle = useRef<StackHandle>(null);
  const stories = useMemo(() => storyRows(state, loop), [state, loop]);
  const rows = useMemo(() => timelineRows(state, loop), [state, loop]);
  const shown = current ?? openByItself(loop);
  const attemptId = attemptOfRow(shown) ?? loop.attempts.at(-1)?.id ?? null;
  const attempt = loop.attempts.find(({ id }) => id === attemptId) ?? null;
  const closed = query.open === 'no';
  const logs = query.show === 'logs' && attempt !== null;
  const chosen = useRef(current);
  const choose = (key: string) => {
    chosen.current = key;
    replaceRoute(atMoment(hashOfLoop(at, key, logs ? { show: 'logs' } : {})));
  };
  const go = (key: string) => {
    choose(key);
    handle.current?.reveal(key);
  };
  // Scrolls only for an address from elsewhere; a click on a visible row moves nothing.
  useEffect(() => {
    if (current !== null && current !== chosen.current) handle.current?.reveal(current);
    chosen.current = current;
  }, [current]);
  const toggleLogs = () => setQuery({ show: logs ? '' : 'logs' });
  const { cancel, question } = useCancelRun(at.runId, row.runName, state);
  useLoopActions({ at, row, state, attempt, current, toggleLogs, cancel });
  return (
    <>
      {question}
      <div className={styles.loopBody}>
        <Stories rows={stories} loop={loop} onGo={(id) => go(`attempt/${id}`)} />
        <AttemptTimeline
          at={at}
          state={state}
          loop={loop}
          rows={rows}
          current={current}
          open={closed ? null : shown}
          handle={handle}
          onGo={go}
          onToggle={(key) => {
            if (key === shown) setQuery({ open: closed ? '' : 'no' });
            else choose(key);
          }}
        />
      </div>
      {logs && <LogsPane at={at} attempt={attempt} />}
    </>
  );
}
