import { formatUpdate } from '@areas/feed/contract/update';
import { ownValue } from '@contract/own';
import type { RunState } from '@contract/run/state';
import { useHandlers } from '@renderer/client/hooks';
import { formatRoute, hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt as tried } from '@renderer/client/toasts';
import { copyAddress, copyText } from '@renderer/parts/controls/copy';
import { usePast } from '@renderer/parts/text/shown-time';
import type { AttemptState } from '../../contract/state';
import { attemptLane } from '../../contract/state';
import { type LoopRow, updateOfAttempt } from '../../contract/summary';
import { type LoopAt, pathOf } from '../place';

/** The address of a worker's session, at its last turn; null if there is none yet. */
export function sessionHash(state: RunState, at: LoopAt, attemptId: number): string | null {
  const sessionId = ownValue(state.activations[at.activationId]?.lanes, attemptLane(attemptId));
  if (sessionId === undefined) return null;
  const turnId = state.sessions[sessionId]?.turnIds.at(-1);
  const path = ['session', at.runId, sessionId, ...(turnId === undefined ? [] : ['turn', turnId])].map(
    String,
  );
  return formatRoute({ path, query: {} });
}

/** The exact text sent for an attempt; null before its verdict. */
export function updateTextOf(attempt: AttemptState): string | null {
  const update = updateOfAttempt(attempt);
  return update === null ? null : formatUpdate(update);
}

export const copyUpdate = (text: string): void => copyText(text, 'Copied the update as it was sent');

interface ActionsOf {
  readonly at: LoopAt;
  readonly row: LoopRow;
  readonly state: RunState;
  /** The selected attempt. */
  readonly attempt: AttemptState | null;
  readonly current: string | null;
  readonly toggleLogs: () => void;
  readonly cancel: () => void;
}

/** Actions for a loop and its selected attempt. */
export function useLoopActions(of: ActionsOf): void {
  const { at, row, state, attempt, current, toggleLogs, cancel } = of;
  const { runId } = at;
  const text = attempt === null ? null : updateTextOf(attempt);
  const session = attempt === null ? null : sessionHash(state, at, attempt.id);
  const commit = attempt?.judged?.commit ?? null;
  const copy = () => copyAddress(...pathOf(at, current));
  const now = usePast() === null;
  useHandlers({
    'loop.pause':
      now && row.live && !row.watched && !row.pauseRequested && row.phase !== 'waiting'
        ? () => void tried(call('loop.pause', at), 'The loop pauses after this iteration')
        : null,
    'loop.stop': now && state.status === 'running' ? cancel : null,
    'loop.resume':
      now && row.resumable && !row.watched ? () => void tried(call('run.resume', { runId })) : null,
    'loop.logs': attempt === null ? null : toggleLogs,
    'loop.session': session === null ? null : () => navigate(session),
    'loop.commit': commit === null ? null : () => copyText(commit, `Copied ${commit}`),
    'loop.update': text === null ? null : () => copyUpdate(text),
    'loop.run': () => navigate(hashOf('run', runId)),
    'loop.updates': () => navigate(`${hashOf('feed')}?run=${runId}`),
    'loop.copy': copy,
    'app.copyAddress': copy,
  });
}
