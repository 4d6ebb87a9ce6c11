import type { RunState } from '@contract/run/state';
import type { RuleContext } from './match';

/** The requesting agent and its place in a run's session; null if there is no such session. */
export function whereAsked(
  runId: number,
  state: RunState,
  sessionId: number | null,
): Omit<RuleContext, 'now'> | null {
  const session = sessionId === null ? undefined : state.sessions[sessionId];
  if (session === undefined) return null;
  const workspaceRoot = session.cwd ?? state.workspace?.path ?? state.projectPath;
  return {
    profileId: session.profileId,
    projectId: state.projectId,
    runId,
    workspaceRoot,
    ownCheckout: state.workspaceMode === 'project' || workspaceRoot === state.projectPath,
  };
}
