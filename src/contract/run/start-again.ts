import { changeActivation, changeSession } from './change';
import type { PlatformState } from './platform-state';

/** The run's own folder could not be made: the next step that needs it asks again. */
export function forgetRunFolder(state: PlatformState): void {
  if (state.workspaceStatus === 'failed') state.workspaceStatus = 'none';
}

/** One that could not be made is asked for again, under the next number. */
export function forgetWorkspace(state: PlatformState, workspaceId: number): void {
  const { status, activationId } = state.workspaces[workspaceId] ?? {};
  if (status !== 'failed') return;
  changeActivation(state, activationId ?? 0, (activation) => ({
    workspaceIds: activation.workspaceIds.filter((id) => id !== workspaceId),
  }));
}

/**
 * A session that did not start is started once more. How often it failed in a row stays: a login that was given up is
 * asked about again only where it has failed more often than it was asked about.
 */
export function startAnew(state: PlatformState, sessionId: number, at: number): void {
  if (state.sessions[sessionId]?.status !== 'failed') return;
  changeSession(state, sessionId, () => ({ status: 'lost', since: at, error: null }));
}
