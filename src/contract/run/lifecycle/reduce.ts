import { ownValue, setOwnValue } from '../../own';
import { NOT_SKIPPED } from '../activation/reduce';
import { changeActivation } from '../change';
import type { OfType, Reducers } from '../event-table';
import { lanesResumed } from '../lane/reduce';
import type { PlatformState } from '../platform-state';
import { scopeOf } from '../scope/path';
import { reopenScopes } from '../scope/reduce';
import { forgetRunFolder, forgetWorkspace, startNewConversation } from '../start-again';
import type { LifecycleEvent } from './events';
import { derivedRunName } from './run-name';

/** `run.started` is not here: it creates the state (`run/reduce.ts`). */
export const lifecycleReducers: Reducers<PlatformState, Exclude<LifecycleEvent, { type: 'run.started' }>> = {
  'run.workspace-requested'(state) {
    state.workspaceStatus = 'requested';
    state.workspaceError = null;
  },
  'run.workspace-ready'(state, { type: _, ...made }) {
    state.workspaceStatus = 'ready';
    state.workspace = made;
  },
  'run.workspace-failed'(state, { error }) {
    state.workspaceStatus = 'failed';
    state.workspaceError = error;
  },
  'run.cancel-requested'(state, { reason }) {
    if (state.status !== 'running') return;
    state.status = 'cancelling';
    state.cancelReason = reason;
  },
  'run.reopened'(state) {
    state.status = 'running';
    state.reopened = { outcome: state.outcome ?? 'failed', reason: state.reason };
    // Only a run without an end is resumed after a restart.
    state.outcome = null;
    state.finishedAt = null;
    state.takenUpAtGate = state.last.gate;
    state.results = null;
  },
  'run.resumed': resumed,
  'run.again-requested'(state, { uid, step }, at) {
    state.againAs = [...(state.againAs ?? []), { uid, step, at }];
  },
  'run.finished'(state, { outcome, reason }, at) {
    state.status = 'finished';
    state.outcome = outcome;
    state.reason = reason;
    state.finishedAt = at;
    state.reopened = null;
  },
  'run.binned'(state) {
    state.binned = true;
  },
  'run.restored'(state) {
    state.binned = false;
  },
  'run.renamed'(state, { name }) {
    state.name = name ?? derivedRunName(state);
  },
  'run.released'(state, { results }) {
    state.results = results;
  },
  'run.apply-requested'(state, { type: _, by: __, ...wanted }) {
    state.applying = wanted;
  },
  'run.applied'(state, { type: _, by: __, ...applied }, at) {
    state.applying = null;
    state.applied = [...state.applied, { ...applied, at }];
  },
  'run.apply-refused'(state) {
    state.applying = null;
  },
  'run.undo-requested'(state, { workspaceId, result }) {
    state.undoing = { workspaceId, result };
  },
  'run.undone'(state, { workspaceId, result }) {
    state.undoing = null;
    state.applied = state.applied.filter((one) => one.workspaceId !== workspaceId || one.result !== result);
  },
  'run.undo-refused'(state) {
    state.undoing = null;
  },
};

function resumed(state: PlatformState, event: OfType<LifecycleEvent, 'run.resumed'>, at: number): void {
  state.status = 'running';
  state.reopened = null;
  state.outcome = null;
  state.reason = null;
  state.finishedAt = null;
  state.results = null;
  state.takenUpAtGate = state.last.gate;
  forgetRunFolder(state);
  reopenScopes(state, event.activationIds);
  for (const step of Object.values(state.steps)) {
    const scope = scopeOf(step.id);
    if (scope !== null && ownValue(state.scopes, scope)?.status !== 'open') continue;
    if (step.skipped !== null) setOwnValue(state.steps, step.id, { ...step, ...NOT_SKIPPED });
  }
  for (const id of event.activationIds) {
    changeActivation(state, id, (activation) => ({
      ...lanesResumed(activation),
      status: 'running',
      outcome: null,
      finishedAt: null,
      error: null,
      retryTimer: undefined,
      stopping: undefined,
      resumedAt: at,
      resumedAtTurn: activation.turnIds.length,
      resumedAtCommand: activation.commandIds.length,
      resumedAtGate: activation.gateIds.length,
      // What could not be read is read again.
      captureIds: activation.captureIds.filter((capture) => state.captures[capture]?.status !== 'failed'),
      ...(activation.scopes === undefined
        ? {}
        : { resumedAtScope: activation.scopes.opened - activation.scopes.open }),
      ...(activation.outcome === 'succeeded' ? { redoneAfter: state.last.activation } : {}),
    }));
    const { workspaceIds = [], sessionIds = [] } = state.activations[id] ?? {};
    for (const workspaceId of workspaceIds) forgetWorkspace(state, workspaceId);
    for (const sessionId of sessionIds) startNewConversation(state, sessionId, at);
  }
}
