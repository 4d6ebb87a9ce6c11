import { PullButton } from '@areas/forges/view/parts/pull-button';
import { NewWorkflow } from '@areas/workflows/view/parts/new-workflow/new-workflow';
import type { RunRow } from '@contract/run/procedures';
import type { RunState } from '@contract/run/state';
import { resumesAt, runStatus } from '@contract/run/status';
import { plural, spend } from '@renderer/client/format';
import { useHandlers, useRoute } from '@renderer/client/hooks';
import { hashOf, navigate, setQuery } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt, offer } from '@renderer/client/toasts';
import { ActButton, ActIcon } from '@renderer/parts/controls/act';
import { copyAddress } from '@renderer/parts/controls/copy';
import { Marked } from '@renderer/parts/marks/marks';
import { Ago, Elapsed, ResumesIn } from '@renderer/parts/text/ago';
import { runWordOf } from '@renderer/parts/words/status-words';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { useSessionState } from '@renderer/ui/use-session-state';
import {
  Ban,
  Columns2,
  Download,
  GitFork,
  History,
  Link,
  PanelRight,
  Play,
  RotateCcw,
  Trash2,
  Undo2,
} from 'lucide-react';
import { Purge } from '../list/bin';
import { useCancelRun } from '../parts/cancel-run';
import { CHOOSE } from './comparison';
import { AgainLinks, RunAgain } from './run-again';
import { RunName, useNameDraft } from './run-name';

interface RunHeadProps {
  readonly row: RunRow;
  readonly state: RunState | null;
  /**
   * It cannot be read completely: the readable part can be shown, and the run exported, ended and moved to
   * the bin.
   */
  readonly unread: boolean;
  /** A past moment is shown: nothing can act on the run. */
  readonly past: boolean;
}

type Asking = 'purge' | 'save' | 'again';
const readAsking = (kept: unknown): Asking | null => (kept === 'again' ? kept : null);
const keptAsking = (asking: Asking | null): unknown => (asking === 'again' ? asking : null);

interface Standing {
  readonly over: boolean;
  /** It can be cancelled. */
  readonly unfinished: boolean;
  readonly binned: boolean;
}

const NOTHING: Standing = { over: false, unfinished: false, binned: false };

const standingOf = (run: RunHeadProps): Standing => (run.past ? NOTHING : standingNow(run));

const standingNow = ({ row, state, unread }: RunHeadProps): Standing => ({
  unfinished: unread ? row.unreadable !== undefined && row.finishedAt === null : state?.status === 'running',
  over: unread || state?.status === 'finished',
  binned: unread ? row.binnedAt !== null : state?.binned === true,
});

export function RunHead(run: RunHeadProps) {
  const { row, state } = run;
  const status = run.unread || state === null ? row.status : runStatus(state);
  // The text being written in a dialog survives a reload, and so does the dialog.
  const [asking, setAsking] = useSessionState(`run/${row.uid}/asking`, readAsking, keptAsking);
  const { cancel, question } = useCancelRun(row.id, row.name, state);
  const { draft, setDraft, rename } = useNameDraft(row);
  useRunActions(run, { ask: setAsking, cancel, rename });
  const { binned, unfinished } = standingOf(run);
  const ended = !run.unread && !run.past && state?.status === 'finished';
  const unresumed = ended && state?.outcome !== 'succeeded';
  return (
    <header className="detail-head">
      <div className="detail-line">
        <RunName row={row} past={run.past} draft={draft} setDraft={setDraft} />
        <Marked word={runWordOf({ status, finishedAt: row.finishedAt })} chip />
        <span className="grow" />
        {unfinished && (
          <ActButton action="run.cancel" icon={Ban}>
            Cancel
          </ActButton>
        )}
        {unresumed && !binned && (
          <ActButton action="run.resume" icon={Play} tone="primary">
            Resume
          </ActButton>
        )}
        {ended && !binned && (
          <ActButton action="run.again" tone="ghost" icon={RotateCcw}>
            Run again
          </ActButton>
        )}
        {state !== null && !run.unread && !run.past && <PullButton runId={row.id} state={state} />}
        {binned && (
          <ActButton action="run.restore" icon={Undo2}>
            Restore from the bin
          </ActButton>
        )}
        {state !== null && state.sourceFile === null && !binned && !run.past && (
          <ActButton action="run.save" tone="ghost" icon={GitFork}>
            Save as workflow
          </ActButton>
        )}
        <RunIcons {...run} />
      </div>
      {!run.past && <RunFacts row={row} state={state} />}
      {question}
      {asking === 'again' && state !== null && (
        <RunAgain row={row} state={state} onClose={() => setAsking(null)} />
      )}
      {asking === 'purge' && <Purge run={row} onClose={() => setAsking(null)} />}
      {asking === 'save' && <NewWorkflow run={row} projectId={null} onClose={() => setAsking(null)} />}
    </header>
  );
}

function RunIcons(run: RunHeadProps) {
  const { state } = run;
  const { over, binned } = standingOf(run);
  return (
    <>
      {!run.past && <ActIcon action="replay.open" icon={History} label="Look back in the run" />}
      {!run.past && <ActIcon action="run.compare" icon={Columns2} label="Compare with another run" />}
      <ActIcon action="run.copy" icon={Link} label="Copy the address of the run" />
      <ActIcon action="run.export" icon={Download} label="Export the run to a file" />
      {over && !binned && <ActIcon action="run.bin" icon={Trash2} label="Move the run to the bin" />}
      {state?.binned && !run.past && (
        <ActIcon action="run.purge" icon={Trash2} label="Delete the run permanently" />
      )}
      <ActIcon action="frame.side" icon={PanelRight} label="Show or hide run details" />
    </>
  );
}

function RunFacts({ row, state }: Pick<RunHeadProps, 'row' | 'state'>) {
  const turns = state === null ? 0 : Object.keys(state.turns).length;
  const next = state === null ? null : resumesAt(state);
  const { outcome, reason } = row;
  return (
    <p className="head-facts quiet">
      {reason !== null && (outcome === 'failed' || outcome === 'rejected') && (
        <span className="reads">{inPlainSight(reason)}</span>
      )}
      {row.finishedAt === null ? (
        <span>
          for <Elapsed from={row.startedAt} to={null} />
        </span>
      ) : (
        <span>
          started <Ago at={row.startedAt} />, took <Elapsed from={row.startedAt} to={row.finishedAt} />
        </span>
      )}
      {next !== null && (
        <span>
          <ResumesIn at={next} />
        </span>
      )}
      <span>Run {row.id}</span>
      <span>
        {row.stepsDone}/{plural(row.steps, 'step')}
      </span>
      {turns > 0 && <span>{plural(turns, 'turn')}</span>}
      <span>{spend(row.tokens, row.costUsd) || 'cost not reported'}</span>
      {state?.sourceFile ? (
        <a href={hashOf('workflow', row.projectId, state.sourceFile)}>{row.workflowName}</a>
      ) : (
        row.workflowName !== row.name && <span>{row.workflowName}</span>
      )}
      <span>{row.projectName}</span>
      {row.agents !== '' && <span className="cut">{row.agents}</span>}
      {state !== null && <AgainLinks state={state} />}
      {state?.workspace?.branch && <span className="mono cut">{state.workspace.branch}</span>}
    </p>
  );
}

async function binRun(runId: number): Promise<void> {
  if ((await attempt(call('run.bin', { runId }))) === null) return;
  offer('Moved to the bin', { verb: 'Undo', run: () => void attempt(call('run.restore', { runId })) });
}

async function exportRun(row: RunRow): Promise<void> {
  const name = `${row.name.replace(/[^\w.-]+/g, '-')}-${row.uid.slice(-6)}.jsonl`;
  const picked = await attempt(call('app.saveAs', { title: 'Export the run', name }));
  if (!picked?.path) return;
  await attempt(call('run.export', { runId: row.id, path: picked.path }), `Exported to ${picked.path}`);
}

interface Acts {
  readonly ask: (what: Asking) => void;
  readonly cancel: () => void;
  readonly rename: () => void;
}

function useRunActions(run: RunHeadProps, { ask, cancel, rename }: Acts): void {
  const { row, state } = run;
  const { path, query } = useRoute();
  const runId = row.id;
  const { over, binned, unfinished } = standingOf(run);
  const ended = !run.unread && !run.past && state?.status === 'finished';
  const file = state?.sourceFile;
  useHandlers({
    'run.cancel': unfinished ? cancel : null,
    'run.resume':
      ended && !binned && state.outcome !== 'succeeded'
        ? () => void attempt(call('run.resume', { runId }))
        : null,
    'run.compare': run.past || query.with ? null : () => setQuery({ with: state?.again?.uid ?? CHOOSE }),
    'run.again': ended && !binned ? () => ask('again') : null,
    'run.rename': run.past || run.unread ? null : rename,
    'run.copy': () => copyAddress('run', row.uid),
    'app.copyAddress': () => copyAddress('run', row.uid, ...path.slice(2)),
    'run.updates': () => navigate(`${hashOf('feed')}?run=${runId}`),
    'run.workflow': file ? () => navigate(hashOf('workflow', row.projectId, file)) : null,
    'run.export': () => void exportRun(row),
    'run.bin': over && !binned ? () => void binRun(runId) : null,
    'run.restore': binned
      ? () => void attempt(call('run.restore', { runId }), 'Restored from the bin')
      : null,
    'run.purge': state?.binned && !run.past ? () => ask('purge') : null,
    'run.save': state === null || run.unread || run.past ? null : () => ask('save'),
  });
}
