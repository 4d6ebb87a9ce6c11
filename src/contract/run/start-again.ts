import { ownValue, setOwnValue } from '../own';
import { changeActivation, changeSession } from './change';
import type { PlatformState } from './platform-state';

/** The run's own folder could not be made: the next step that needs it requests it again. */
export function forgetRunFolder(state: PlatformState): void {
  if (state.workspaceStatus === 'failed') state.workspaceStatus = 'none';
}

/** A workspace that could not be made is requested again, under the next number. */
export function forgetWorkspace(state: PlatformState, workspaceId: number): void {
  const { status, activationId, scope: path } = state.workspaces[workspaceId] ?? {};
  if (status !== 'failed') return;
  const scope = ownValue(state.scopes, path ?? '');
  if (scope?.workspaceId === workspaceId)
    setOwnValue(state.scopes, scope.path, { ...scope, workspaceId: null });
  changeActivation(state, activationId ?? 0, (activation) => ({
    workspaceIds: activation.workspaceIds.filter((id) => id !== workspaceId),
  }));
}

/**
 * A session that failed to start is started again. Its count of failures in a row stays, so that a login the
 * operator gave up on is asked about again only after a further failure.
 */
export function startNewConversation(state: PlatformState, sessionId: number, at: number): void {
  if (state.sessions[sessionId]?.status !== 'failed') return;
  changeSession(state, sessionId, () => ({ status: 'lost', since: at, error: null }));
}
