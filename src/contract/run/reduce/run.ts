import { setOwn } from '../../own';
import { unreachable } from '../../result';
import type { RunEvent, RunEventOf } from '../events';
import type { RunState } from '../state';
import { forgetRunFolder, forgetWorkspace, startAnew } from './again';
import { changeActivation } from './change';
import { leadResumed } from './lane';
import { loopResumed } from './loop';
import { applyResult } from './result';
import { teamResumed } from './team';

export function applyRun(
  state: RunState,
  event: Extract<RunEvent, { type: `run.${string}` }>,
  at: number,
): void {
  switch (event.type) {
    case 'run.started':
      return;
    case 'run.workspace-requested':
      state.workspaceStatus = 'requested';
      state.workspaceError = null;
      return;
    case 'run.workspace-ready':
      state.workspaceStatus = 'ready';
      state.workspace = { path: event.path, branch: event.branch, baseCommit: event.baseCommit };
      return;
    case 'run.workspace-failed':
      state.workspaceStatus = 'failed';
      state.workspaceError = event.error;
      return;
    case 'run.cancel-requested':
      if (state.status === 'running') state.status = 'cancelling';
      return;
    case 'run.reopened':
      state.status = 'running';
      state.reopened = { outcome: state.outcome ?? 'failed', reason: state.reason };
      // Only a run without an end is taken up again after a restart.
      state.outcome = null;
      state.finishedAt = null;
      state.takenUpAtGate = state.last.gate;
      state.results = null;
      return;
    case 'run.resumed':
      return takeUpAgain(state, event, at);
    case 'run.finished':
      state.status = 'finished';
      state.outcome = event.outcome;
      state.reason = event.reason;
      state.finishedAt = at;
      state.reopened = null;
      return;
    case 'run.binned':
      state.binned = true;
      return;
    case 'run.restored':
      state.binned = false;
      return;
    case 'run.released':
    case 'run.apply-requested':
    case 'run.applied':
    case 'run.apply-refused':
      return applyResult(state, event, at);
    default:
      return unreachable(event);
  }
}

function takeUpAgain(state: RunState, event: RunEventOf<'run.resumed'>, at: number): void {
  state.status = 'running';
  state.reopened = null;
  state.outcome = null;
  state.reason = null;
  state.finishedAt = null;
  state.results = null;
  state.takenUpAtGate = state.last.gate;
  forgetRunFolder(state);
  for (const step of Object.values(state.steps)) {
    if (step.skipped !== null) setOwn(state.steps, step.id, { ...step, skipped: null });
  }
  for (const id of event.activationIds) {
    changeActivation(state, id, (activation) => ({
      ...leadResumed(activation),
      status: 'running',
      outcome: null,
      finishedAt: null,
      error: null,
      resumedAtTurn: activation.turnIds.length,
      resumedAtCommand: activation.commandIds.length,
      resumedAtGate: activation.gateIds.length,
    }));
    loopResumed(state, id, event.text);
    teamResumed(state, id);
    const { workspaceIds = [], sessionIds = [] } = state.activations[id] ?? {};
    for (const workspaceId of workspaceIds) forgetWorkspace(state, workspaceId);
    for (const sessionId of sessionIds) startAnew(state, sessionId, at);
  }
}
