import { ownValue, setOwnValue } from '../../own';
import { changeActivation } from '../change';
import type { Reducers } from '../event-table';
import type { PlatformState, ScopeCounts } from '../platform-state';
import type { ScopeEvent } from './events';
import { scopeOf } from './path';

const NONE: ScopeCounts = { opened: 0, open: 0, failed: 0 };

export const scopeReducers: Reducers<PlatformState, ScopeEvent> = {
  'scope.opened'(state, { type: _, scope: path, inputs = null, after = null, isolated = false, ...opened }) {
    setOwnValue(state.scopes, path, {
      ...opened,
      path,
      inputs,
      after,
      isolated,
      workspaceId: null,
      status: 'open',
      outcome: null,
      error: null,
    });
    changeActivation(state, opened.activationId, ({ scopes = NONE }) => ({
      scopes: { ...scopes, opened: scopes.opened + 1, open: scopes.open + 1 },
    }));
  },
  'scope.stop-requested'(state, { scope: path }) {
    const scope = ownValue(state.scopes, path);
    if (scope?.status === 'open') setOwnValue(state.scopes, path, { ...scope, status: 'stopping' });
  },
  'scope.ended'(state, { scope: path, outcome, error }) {
    const scope = ownValue(state.scopes, path);
    if (scope === undefined) return;
    setOwnValue(state.scopes, path, { ...scope, status: 'ended', outcome, error });
    changeActivation(state, scope.activationId, ({ scopes = NONE }) => ({
      scopes: {
        ...scopes,
        open: scopes.open - 1,
        failed: scopes.failed + Number(outcome !== 'succeeded'),
      },
    }));
  },
};

/**
 * When the operator resumes activations, their unsuccessful scopes continue, and so do scopes with a step
 * that succeeded although a part of it failed and that now works again.
 */
export function reopenScopes(state: PlatformState, activationIds: readonly number[]): void {
  const owners = new Set(activationIds);
  const resumed = new Set(activationIds.map((id) => scopeOf(state.activations[id]?.stepId ?? '')));
  for (const scope of Object.values(state.scopes)) {
    if (scope.status !== 'ended' || !owners.has(scope.activationId)) continue;
    if (scope.outcome === 'succeeded' && !resumed.has(scope.path)) continue;
    const failed = Number(scope.outcome !== 'succeeded');
    setOwnValue(state.scopes, scope.path, { ...scope, status: 'open', outcome: null, error: null });
    changeActivation(state, scope.activationId, ({ scopes = NONE }) => ({
      scopes: { ...scopes, open: scopes.open + 1, failed: scopes.failed - failed },
    }));
  }
}
