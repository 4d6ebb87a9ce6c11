import type { AppError } from '@contract/errors';
import type { RunEvent } from '@contract/run/events';
import { scopeOf } from '@contract/run/scope/path';
import type { ActivationState, RunState, ScopeState } from '@contract/run/state';
import type { DecisionInput } from './decision-input';
import { endActivation } from './finish';

/**
 * Stops a running activation. Its turns and commands end first (`afterStop`); then it ends with the error;
 * null: cancelled. The operator's own prompts in its sessions continue.
 */
export function stopActivation(
  state: RunState,
  activation: ActivationState,
  { error, reason }: { readonly error: AppError | null; readonly reason: string },
): RunEvent[] {
  const { id: activationId, gateIds, turnIds } = activation;
  return [
    { type: 'activation.stop-requested', activationId, error },
    ...gateIds.flatMap((gateId): RunEvent[] =>
      state.gates[gateId]?.status === 'open' ? [{ type: 'gate.withdrawn', gateId, reason }] : [],
    ),
    ...turnIds.flatMap((turnId): RunEvent[] => {
      const turn = state.turns[turnId];
      const goes = turn?.status === 'in_flight' && turn.promptId === null && turn.cancelledBy === null;
      return goes ? [{ type: 'turn.cancel-requested', turnId, by: error?.code ?? 'cancel' }] : [];
    }),
    ...scopesOf(state, activation).flatMap((scope) => stopScope(state, scope, reason)),
  ];
}

/** An activation's open scopes. */
const scopesOf = (state: RunState, activation: ActivationState): ScopeState[] =>
  (activation.scopes?.open ?? 0) === 0
    ? []
    : Object.values(state.scopes).filter(
        ({ activationId, status }) => activationId === activation.id && status !== 'ended',
      );

/** Nothing more starts in a scope; running work there is stopped, also in inner scopes. */
function stopScope(state: RunState, { path, status }: ScopeState, reason: string): RunEvent[] {
  if (status !== 'open') return [];
  const running = Object.values(state.activations).filter(
    (one) => one.status === 'running' && one.stopping === undefined && scopeOf(one.stepId) === path,
  );
  return [
    { type: 'scope.stop-requested', scope: path },
    ...running.flatMap((one) => stopActivation(state, one, { error: null, reason })),
  ];
}

/** What must happen before a step with open scopes may end; null if it has none. */
export function stopScopes({ state }: DecisionInput, activation: ActivationState): RunEvent[] | null {
  if ((activation.scopes?.open ?? 0) === 0) return null;
  const reason = 'The step that it belongs to ends.';
  return scopesOf(state, activation).flatMap((scope) => stopScope(state, scope, reason));
}

/** A stopping activation ends once nothing of it is in flight. */
export function afterStop(moment: DecisionInput, activation: ActivationState): RunEvent[] {
  const { stopping } = activation;
  if (stopping === undefined || inFlight(moment.state, activation)) return [];
  return endActivation(moment, activation, stopping.error ?? 'cancelled');
}

function inFlight(state: RunState, activation: ActivationState): boolean {
  const { turnIds, commandIds, captureIds, workspaceIds, sessionIds } = activation;
  return (
    (activation.scopes?.open ?? 0) > 0 ||
    turnIds.some((id) => state.turns[id]?.status === 'in_flight' && state.turns[id]?.promptId === null) ||
    commandIds.some((id) => state.commands[id]?.status === 'running') ||
    captureIds.some((id) => state.captures[id]?.status === 'running') ||
    workspaceIds.some((id) => state.workspaces[id]?.status === 'requested') ||
    sessionIds.some(
      (id) => state.sessions[id]?.status === 'starting' || state.sessions[id]?.status === 'resuming',
    )
  );
}
