import type { RunEvent } from '@contract/run/events';
import { features } from '@features/core';
import type { LiveRun } from '../base/live-run';

/** Events from before the restart whose effects have not ended and are safe to repeat. */
export function unended(run: LiveRun): RunEvent[] {
  const { state } = run;
  const events: RunEvent[] =
    state.workspaceStatus === 'requested' ? [{ type: 'run.workspace-requested' }] : [];
  for (const { id: workspaceId, status, activationId, lane, scope, from } of Object.values(state.workspaces))
    if (status === 'requested')
      events.push({
        type: 'workspace.requested',
        workspaceId,
        activationId,
        lane,
        from,
        ...(scope === undefined ? {} : { scope }),
      });
  for (const { id: captureId, status, ...capture } of Object.values(state.captures)) {
    const { activationId, name, workspaceId, fromTurn, toTurn } = capture;
    const which = { captureId, activationId, name, workspaceId, fromTurn, toTurn };
    if (status === 'running') events.push({ type: 'capture.started', ...which });
  }
  return [...events, ...features.flatMap((feature) => [...feature.open(state)])];
}
