import type { AppError } from '@contract/errors';
import { resultToApply, shownResults } from '@contract/run/results/shown-results';
import type { RunState } from '@contract/run/state';
import { useHandlers, useQuery, useRun, wholeRun } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { ActIcon } from '@renderer/parts/controls/act';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { ExternalLink, RotateCw, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { mayChange, type PullRecord } from '../../contract/pull';
import { oneLine } from '../../contract/untrusted';
import styles from './pull.module.css';
import { PullActs } from './pull-acts';
import { PullForm } from './pull-form';
import { PullState } from './pull-state';

const TITLE_CHARS = 250;

interface PullSideProps {
  readonly runId: number;
  readonly onClose: () => void;
}

/** The pull request of a run, beside its history: the form that opens it, then its state and its acts. */
export function PullSide({ runId, onClose }: PullSideProps) {
  const state = useRun(runId, wholeRun);
  const { value, error } = useQuery('pull.record', { runId });
  const record = value?.record ?? null;
  const { reading, refused, read } = useFreshly(runId, record?.number ?? null);
  const url = record?.url ?? null;
  useHandlers({
    'pull.close': onClose,
    'pull.read': record === null ? null : () => void read(),
    'pull.browse': url === null ? null : () => void window.open(url, '_blank', 'noreferrer'),
  });
  return (
    <aside className="pane" aria-label="Pull request">
      <header className="pane-head">
        <h2 className={styles.title}>
          Pull request {record?.number == null ? '' : <span className="quiet">#{record.number}</span>}
        </h2>
        <span className="grow" />
        {record !== null && (
          <ActIcon action="pull.read" icon={RotateCw} label="Read it again" disabled={reading} />
        )}
        {url !== null && <ActIcon action="pull.browse" icon={ExternalLink} label="Open it in the browser" />}
        <ActIcon action="pull.close" icon={X} label="Close" />
      </header>
      <div className={`scroll ${styles.body}`} data-focus tabIndex={-1} aria-busy={value === null}>
        {error && <ErrorNote error={error} />}
        {refused && <ErrorNote error={refused} />}
        {state !== null && value !== null && <Body runId={runId} state={state} record={record} />}
      </div>
    </aside>
  );
}

interface BodyProps {
  readonly runId: number;
  readonly state: RunState;
  readonly record: PullRecord | null;
}

function Body({ runId, state, record }: BodyProps) {
  const commit = commitOf(state);
  const [another, setAnother] = useState(false);
  const finished = record !== null && !mayChange(record);
  // A new result after a merge or a close gets a pull request of its own.
  const canOpen = commit !== null && (record === null || (finished && commit !== record.result));
  if (record === null && commit === null)
    return <p className="quiet">A pull request can be opened when the run has ended with changed files.</p>;
  return (
    <>
      {record !== null && (
        <>
          <p className={`reads ${styles.text}`}>{inPlainSight(oneLine(record.title, TITLE_CHARS))}</p>
          <PullState record={record} />
          <PullActs record={record} commit={commit} />
        </>
      )}
      {canOpen && (record === null || another) && <PullForm runId={runId} />}
      {canOpen && record !== null && !another && (
        <button type="button" className="text-button" onClick={() => setAnother(true)}>
          Open another pull request
        </button>
      )}
    </>
  );
}

/** The commit of the result; null while the run works, or if there is none. */
function commitOf(state: RunState): string | null {
  if (state.status !== 'finished') return null;
  const chosen = resultToApply(shownResults(state), undefined);
  return chosen.ok ? chosen.value.commit : null;
}

/** Reads the pull request from the forge when the panel opens, and on demand. */
function useFreshly(runId: number, number: number | null) {
  const [reading, setReading] = useState(false);
  const [refused, setRefused] = useState<AppError | null>(null);
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  const read = useCallback(async () => {
    setReading(true);
    const answer = await call('pull.get', { runId });
    if (!shown.current) return;
    setReading(false);
    setRefused(answer.ok ? null : answer.error);
  }, [runId]);
  useEffect(() => {
    if (number !== null) void read();
  }, [number, read]);
  return { reading, refused, read };
}
