import type { WorkspaceDiffView } from '@areas/changes/contract/procedures';
import { ReviewDesk } from '@areas/changes/view/parts/desk/desk';
import type { RunState } from '@contract/run/state';
import { useQuery, useTranscript } from '@renderer/client/hooks';
import { refresh } from '@renderer/client/wire/query';
import { CHANGES_QUIET_MS } from '@renderer/limits';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { IconButton } from '@renderer/ui/controls/button';
import { Select } from '@renderer/ui/controls/field';
import { Empty } from '@renderer/ui/layout/note';
import { FileDiff, RotateCw } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { turnInFlight } from '../page/turns';
import styles from './changes-pane.module.css';
import type { ChangesProps } from './props';
import { diffOf, turnScopes, wholeScopes } from './scopes';

/** The changes of a turn, the session or the whole workspace, hunk by hunk. */
export function ChangesPane(props: ChangesProps) {
  const { runId, state, session, scope, comments, onComment } = props;
  const hasTurns = session.turnIds.length > 0;
  const of = diffOf(scope, session.id);
  const { value, status, error } = useQuery('workspace.diff', hasTurns ? { runId, of } : null);
  useFresh(state);
  const works = turnInFlight(state, session);
  const drafts = `session/${runId}/${session.id}`;
  const lead = <ScopeSelect {...props} />;
  const tail = (
    <IconButton
      icon={RotateCw}
      label="Read the changes again"
      onClick={() => void refresh('workspace.diff')}
    />
  );
  const shown = value !== null && value.files.length > 0 ? value : null;
  return (
    <div className={styles.changes} data-part="changes" data-nav tabIndex={-1}>
      {shown === null && (
        <header className={styles.changesHead}>
          {lead}
          <span className="grow" />
          {tail}
        </header>
      )}
      {!hasTurns && (
        <Empty icon={FileDiff} title="No changes yet">
          No prompt has been sent to this session.
        </Empty>
      )}
      {error && <ErrorNote error={error} />}
      {works && value?.live === true && <LiveReading runId={runId} turnId={works.id} />}
      {shown && (
        <ReviewDesk
          key={scope}
          files={shown.files}
          folder={shown.path}
          source={{ runId, of }}
          edits={shown.edits}
          review={{ comments, onComment, drafts, sentWith: 'prompt' }}
          fill
          lead={lead}
          tail={tail}
        />
      )}
      {value && value.files.length === 0 && status !== 'failed' && <Nothing view={value} scope={scope} />}
    </div>
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
