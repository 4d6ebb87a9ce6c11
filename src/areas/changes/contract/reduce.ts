import { ownValue, setOwnValue } from '@contract/own';
import { changeActivation, changeCapture, changeWorkspace } from '@contract/run/change';
import type { Reducers } from '@contract/run/event-table';
import type { PlatformState } from '@contract/run/platform-state';
import { revisedOutputs } from './change-bundle';
import type { CaptureEvent, MarkEvent, WorkspaceEvent } from './events';

export const workspaceReducers: Reducers<PlatformState, WorkspaceEvent | CaptureEvent | MarkEvent> = {
  'workspace.requested'(state, { type: _, workspaceId: id, ...asked }) {
    const known = state.workspaces[id];
    state.last.workspace = Math.max(state.last.workspace, id);
    const blank = { path: null, branch: null, baseCommit: null, error: null };
    state.workspaces[id] = { ...asked, id, status: 'requested', ...blank };
    if (known === undefined)
      changeActivation(state, asked.activationId, (a) => ({ workspaceIds: [...a.workspaceIds, id] }));
    const scope = ownValue(state.scopes, asked.scope ?? '');
    if (scope !== undefined) setOwnValue(state.scopes, scope.path, { ...scope, workspaceId: id });
  },
  'workspace.ready'(state, { type: _, workspaceId, ...place }) {
    changeWorkspace(state, workspaceId, () => ({ ...place, status: 'ready', error: null }));
  },
  'workspace.failed'(state, { workspaceId, error }) {
    changeWorkspace(state, workspaceId, () => ({ status: 'failed', error }));
  },
  'capture.started'(state, { type: _, captureId: id, ...asked }) {
    state.last.capture = Math.max(state.last.capture, id);
    const blank = { diff: null, began: null, files: [], notes: [], error: null };
    state.captures[id] = { ...asked, id, status: 'running', ...blank };
    changeActivation(state, asked.activationId, (a) => ({ captureIds: [...a.captureIds, id] }));
  },
  'capture.finished'(state, { type: _, captureId, ...taken }) {
    const began = taken.diff?.from ?? null;
    changeCapture(state, captureId, () => ({ ...taken, began, status: 'done' }));
  },
  'capture.failed'(state, { captureId, error }) {
    changeCapture(state, captureId, () => ({ status: 'failed', error }));
  },
  'capture.revised'(state, { captureId, diff, files }) {
    if (state.captures[captureId] === undefined) return;
    changeCapture(state, captureId, () => ({ diff, files }));
    const change = { captureId, diff, files };
    for (const { id, outputs } of Object.values(state.activations)) {
      const revised = revisedOutputs(outputs, change);
      if (revised !== null) changeActivation(state, id, () => ({ outputs: revised }));
    }
  },
  'hunk.marked'(state, event) {
    const key = hunkKey(event);
    if (event.mark === 'none') delete state.hunks[key];
    else setOwnValue(state.hunks, key, event.mark);
  },
  'files.viewed'(state, { files, viewed }) {
    for (const file of files) {
      if (viewed) setOwnValue(state.viewed, file, true);
      else delete state.viewed[file];
    }
  },
};

/** The key of a hunk among a run's marks. */
export const hunkKey = (of: {
  readonly sessionId: number;
  readonly turnId: number | null;
  readonly path: string;
  readonly hunk: string;
}): string => `${of.sessionId}/${of.turnId ?? ''}/${of.path}/${of.hunk}`;
