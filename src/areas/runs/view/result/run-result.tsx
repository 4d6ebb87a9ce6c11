import { rehearsalOf, rehearsalWords } from '@areas/agents/contract/rehearsal';
import type { ShownResult } from '@contract/run/results/results';
import { isElsewhere, shownResults } from '@contract/run/results/shown-results';
import type { RunState } from '@contract/run/state';
import { plural } from '@renderer/client/format';
import { useQuery } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { useCaps } from '@renderer/parts/controls/act';
import { copyText } from '@renderer/parts/controls/copy';
import { Button } from '@renderer/ui/controls/button';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { Note } from '@renderer/ui/layout/note';
import { FolderGit2, GitMerge, Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { canApply, useApplying } from '../parts/apply/use-applying';

interface RunResultProps {
  readonly runId: number;
  readonly state: RunState;
}

/** Where the result of a finished run is, and the button that brings it into the checkout. */
export function RunResult({ runId, state }: RunResultProps) {
  const { apply, undo, dialog } = useApplying(runId, state);
  const ended = state.status === 'finished';
  const unknown = ended && state.results === null && state.workspaceMode !== 'project';
  const [nothing, setNothing] = useState(false);
  useEffect(() => {
    // An earlier Muster did not record it; requesting it does, and the event for this arrives at the page.
    if (unknown)
      void call('run.results', { runId }).then((told) => setNothing(told.ok && told.value.length === 0));
  }, [runId, unknown]);
  if (!ended) return null;
  const all = shownResults(state);
  const rehearsal = rehearsalOf(state);
  const results = all.filter(({ state: is, note }) => (is !== 'empty' || note !== null) && is !== 'included');
  return (
    <>
      {rehearsal !== null && <Note tone="waits">{rehearsalWords[rehearsal]}</Note>}
      {(nothing || !unknown) && isElsewhere(state, all) && (
        <Note>
          The folders and branches of this run are not on this machine, or its project is no longer in{' '}
          {state.projectPath}.
        </Note>
      )}
      {results.map((result) => (
        <OneResult
          key={result.workspaceId ?? 'run'}
          runId={runId}
          result={result}
          onApply={apply}
          onUndo={undo}
        />
      ))}
      {dialog}
    </>
  );
}

interface OneResultProps {
  readonly runId: number;
  readonly result: ShownResult;
  readonly onApply: (result: ShownResult) => void;
  readonly onUndo: (result: ShownResult) => void;
}

function OneResult({ runId, result, onApply, onUndo }: OneResultProps) {
  const { path, branch, commit, applied } = result;
  const trouble = result.unread ?? result.unsettled;
  const applyCaps = useCaps('run.apply');
  const folder = (
    <Button icon={FolderGit2} onClick={() => void attempt(call('app.revealInFolder', { path }))}>
      Show folder
    </Button>
  );
  return (
    <Note
      tone={result.state === 'applied' ? 'done' : trouble !== null ? 'failed' : 'plain'}
      acts={
        <>
          {folder}
          {canApply(result) && (
            <Button icon={GitMerge} tone="primary" caps={applyCaps} onClick={() => onApply(result)}>
              Apply to checkout
            </Button>
          )}
          {result.state === 'applied' && applied?.change && (
            <UndoButton runId={runId} result={result} onUndo={onUndo} />
          )}
        </>
      }
    >
      <ResultText result={result} />
      {(branch !== null || commit !== null) && (
        <span className="head-facts quiet">
          {branch !== null && (
            <button
              type="button"
              className="text-button mono"
              title="Copy the branch"
              onClick={() => copyText(branch, 'Copied the branch')}
            >
              {branch}
            </button>
          )}
          {commit !== null && (
            <button
              type="button"
              className="text-button mono"
              title="Copy the commit"
              onClick={() => copyText(commit, 'Copied the commit')}
            >
              {commit.slice(0, 12)}
            </button>
          )}
          {applied?.commit != null && (
            <span>
              in {applied.target} as {applied.commit.slice(0, 12)}
            </span>
          )}
        </span>
      )}
      {result.note !== null && <span className="quiet">{result.note}</span>}
      {trouble !== null && (
        <span>
          {inPlainSight(trouble.message)} {inPlainSight(trouble.mend ?? '')}
        </span>
      )}
    </Note>
  );
}

/** Offered until the checkout has moved on. */
function UndoButton({ runId, result, onUndo }: Omit<OneResultProps, 'onApply'>) {
  const caps = useCaps('run.undo');
  const step = result.address === null ? {} : { step: result.address };
  const { value } = useQuery('run.undoable', { runId, ...step });
  if (value === null || value.refusal !== null) return null;
  return (
    <Button icon={Undo2} caps={caps} onClick={() => onUndo(result)}>
      Undo apply
    </Button>
  );
}

function ResultText({
  result: { files, uncommitted, address, applied, state, path },
}: {
  result: ShownResult;
}) {
  const whose = address === null || address === 'run' ? 'The run' : address;
  if (state === 'unreadable')
    return <span>What {whose === 'The run' ? 'the run' : whose} changed is unknown.</span>;
  if (state === 'folder') return <span>Its files are in the plain folder {path}</span>;
  const open = uncommitted === 0 ? '' : `, ${uncommitted} of them not committed by its agents`;
  const summary = `${whose} changed ${plural(files, 'file')}${open}.`;
  if (state !== 'applied') return <span>{summary} Your checkout does not have this yet.</span>;
  return (
    <span>
      {summary} {appliedWords(applied)}
    </span>
  );
}

function appliedWords(applied: ShownResult['applied']): string {
  if (applied === null) return 'Your checkout has it.';
  return applied.change?.how === 'files'
    ? `Applied to your checkout of ${applied.target}, staged and not committed.`
    : `Applied to ${applied.target}.`;
}
