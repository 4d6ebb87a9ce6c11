import { setOwn } from '../../own';
import { unreachable } from '../../result';
import type { RunEvent } from '../events';
import type { RunState } from '../state';
import { changeActivation, changeCapture, changeWorkspace } from './change';

export function applyWorkspace(
  state: RunState,
  event: Extract<RunEvent, { type: `workspace.${string}` }>,
): void {
  const id = event.workspaceId;
  switch (event.type) {
    case 'workspace.requested': {
      const { type: _, workspaceId: __, ...asked } = event;
      const known = state.workspaces[id];
      state.last.workspace = Math.max(state.last.workspace, id);
      const blank = { path: null, branch: null, baseCommit: null, error: null };
      state.workspaces[id] = { ...asked, id, status: 'requested', ...blank };
      if (known === undefined)
        changeActivation(state, event.activationId, (a) => ({ workspaceIds: [...a.workspaceIds, id] }));
      return;
    }
    case 'workspace.ready': {
      const { type: _, workspaceId: __, ...place } = event;
      changeWorkspace(state, id, () => ({ ...place, status: 'ready', error: null }));
      return;
    }
    case 'workspace.failed':
      changeWorkspace(state, id, () => ({ status: 'failed', error: event.error }));
      return;
    default:
      return unreachable(event);
  }
}

export function applyCapture(state: RunState, event: Extract<RunEvent, { type: `capture.${string}` }>): void {
  const id = event.captureId;
  switch (event.type) {
    case 'capture.started': {
      const { type: _, captureId: __, ...asked } = event;
      state.last.capture = Math.max(state.last.capture, id);
      const blank = { diff: null, files: [], filesTruncated: false, error: null };
      state.captures[id] = { ...asked, id, status: 'running', ...blank };
      changeActivation(state, event.activationId, (a) => ({ captureIds: [...a.captureIds, id] }));
      return;
    }
    case 'capture.finished': {
      const { type: _, captureId: __, ...taken } = event;
      changeCapture(state, id, () => ({ ...taken, status: 'done' }));
      return;
    }
    case 'capture.failed':
      changeCapture(state, id, () => ({ status: 'failed', error: event.error }));
      return;
    default:
      return unreachable(event);
  }
}

/** The key of a hunk among the marks of a run. */
export const hunkKey = (of: {
  readonly sessionId: number;
  readonly turnId: number | null;
  readonly path: string;
  readonly hunk: string;
}): string => `${of.sessionId}/${of.turnId ?? ''}/${of.path}/${of.hunk}`;

export function applyHunk(state: RunState, event: Extract<RunEvent, { type: `hunk.${string}` }>): void {
  const key = hunkKey(event);
  if (event.mark === 'none') delete state.hunks[key];
  else setOwn(state.hunks, key, event.mark);
}
