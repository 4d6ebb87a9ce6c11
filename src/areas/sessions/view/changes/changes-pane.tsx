import type { DiffFile, WorkspaceDiffView } from '@areas/changes/contract/procedures';
import { total } from '@areas/changes/view/parts/change-rows';
import type { RunState } from '@contract/run/state';
import { plural } from '@renderer/client/format';
import { useHandlers, useQuery, useReadable, useTranscript } from '@renderer/client/hooks';
import { refresh } from '@renderer/client/wire/query';
import { CHANGES_QUIET_MS } from '@renderer/limits';
import { ActButton } from '@renderer/parts/controls/act';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { LineCounts } from '@renderer/parts/text/line-counts';
import { IconButton } from '@renderer/ui/controls/button';
import { Select } from '@renderer/ui/controls/field';
import { Empty, Note } from '@renderer/ui/layout/note';
import { FileDiff, RotateCw, Undo2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { turnInFlight } from '../page/turns';
import { ChangedFiles } from './changed-files';
import styles from './changes-pane.module.css';
import type { ChangesProps } from './props';
import { diffOf, turnScopes, wholeScopes } from './scopes';
import { takenBack, undoLast } from './take-back';

/** The changes of a turn, the session or the whole workspace, hunk by hunk. */
export function ChangesPane(props: ChangesProps) {
  const { runId, state, session, scope } = props;
  const hasTurns = session.turnIds.length > 0;
  const { value, status, error } = useQuery(
    'workspace.diff',
    hasTurns ? { runId, of: diffOf(scope, session.id) } : null,
  );
  useFresh(state);
  const files = value?.files ?? [];
  const works = turnInFlight(state, session);
  return (
    <section className={styles.changes} data-part="changes" aria-label="Changes" data-nav tabIndex={-1}>
      <header className={styles.changesHead}>
        <ScopeSelect {...props} />
        {value && files.length > 0 && (
          <>
            <LineCounts {...total(files)} />
            <span className="faint note">in {plural(files.length, 'file')}</span>
          </>
        )}
        <span className="grow" />
        <IconButton
          icon={RotateCw}
          label="Read the changes again"
          onClick={() => void refresh('workspace.diff')}
        />
      </header>
      {!hasTurns && (
        <Empty icon={FileDiff} title="No changes yet">
          No prompt has been sent to this session.
        </Empty>
      )}
      {error && <ErrorNote error={error} />}
      {works && value?.live === true && <LiveReading runId={runId} turnId={works.id} />}
      <WayBack {...props} files={files} />
      {value && files.length > 0 && <ChangedFiles {...props} key={scope} view={value} />}
      {value && files.length === 0 && status !== 'failed' && <Nothing view={value} scope={scope} />}
    </section>
  );
}

/** Undo for a reverted hunk, which is no longer listed. */
function WayBack({ runId, session, files }: ChangesProps & { readonly files: readonly DiffFile[] }) {
  const way = useReadable(takenBack(runId, session.id)).at(-1) ?? null;
  useHandlers({ 'hunk.undo': way && (() => void undoLast(runId, session.id)) });
  const listed = files.some(
    ({ path, hunks }) => path === way?.path && hunks.some((hunk) => hunk.id === way.hunk),
  );
  if (!way || listed) return null;
  return (
    <Note
      acts={
        <ActButton action="hunk.undo" icon={Undo2}>
          Undo
        </ActButton>
      }
    >
      A hunk of <span className="mono">{way.path}</span> was taken back.
    </Note>
  );
}

function ScopeSelect({ state, session, scope, onScope }: ChangesProps) {
  const turns = turnScopes(state, session);
  const known = [...wholeScopes, ...turns].some((one) => one.value === scope);
  return (
    <Select aria-label="Whose changes" value={scope} onChange={(event) => onScope(event.currentTarget.value)}>
      {wholeScopes.map((one) => (
        <option key={one.value} value={one.value}>
          {one.label}
        </option>
      ))}
      {(turns.length > 0 || !known) && (
        <optgroup label="One turn">
          {!known && <option value={scope}>{scope.replace('/', ' ')}</option>}
          {turns.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </optgroup>
      )}
    </Select>
  );
}

function Nothing({ view, scope }: { view: WorkspaceDiffView; scope: string }) {
  const of =
    scope === 'session' ? 'This session has' : scope === 'workspace' ? 'Here one has' : 'This turn has';
  return (
    <Empty icon={FileDiff} title="No changes">
      {of} changed no files in {view.path}.
    </Empty>
  );
}

/** Reads the diff again after each tool call while the agent works in the folder. */
function LiveReading({ runId, turnId }: { runId: number; turnId: number }) {
  const { transcript } = useTranscript(runId, turnId);
  const ended = transcript.blocks.filter(
    (block) => block.kind === 'tool' && (block.call.status === 'completed' || block.call.status === 'failed'),
  ).length;
  const seen = useRef(ended);
  useEffect(() => {
    if (seen.current === ended) return;
    const timer = setTimeout(() => {
      seen.current = ended;
      void refresh('workspace.diff');
    }, CHANGES_QUIET_MS);
    return () => clearTimeout(timer);
  }, [ended]);
  return null;
}

/** Reads the diff again when a turn has begun or ended: its scope may have changed. */
function useFresh(state: RunState): void {
  const turns = Object.values(state.turns);
  const key = `${turns.length}/${turns.filter((turn) => turn.finishedAt !== null).length}`;
  const seen = useRef(key);
  useEffect(() => {
    if (seen.current === key) return;
    seen.current = key;
    void refresh('workspace.diff');
  }, [key]);
}
