import { appError } from '@contract/errors';
import { own } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import type { ActivationState, RunState } from '@contract/run/state';
import type { TurnDecision } from '../step/decision';
import { endActivation } from './finish';
import type { Moment } from './moment';

/** A working folder by its number; null is the run's own. */
export type Place = number | null;

/**
 * The working folder that the work which came in was done in: an input's step had its own, or had itself the one of
 * what came in there. Where inputs differ, or agents worked beside each other and nothing is merged, it is the run's.
 */
export function workspaceBefore(state: RunState, activation: ActivationState): Place {
  if (state.last.workspace === 0) return null;
  const seen = new Set<number>([activation.id]);
  const found = new Set<Place>();
  for (const input of activation.inputs) found.add(workspaceAfter(state, input.activationId, seen));
  const [only = null] = found;
  return found.size === 1 ? only : null;
}

function workspaceAfter(state: RunState, activationId: number, seen: Set<number>): Place {
  const activation = state.activations[activationId];
  if (activation === undefined || seen.has(activationId)) return null;
  seen.add(activationId);
  const own = activation.workspaceIds.map((id) => state.workspaces[id]);
  if (own.some((one) => one?.lane != null)) return null;
  const made = own.find((one) => one?.status === 'ready');
  if (made !== undefined) return made.id;
  const session = state.sessions[activation.sessionIds.at(-1) ?? 0];
  if (session?.workspaceId != null) return session.workspaceId;
  const found = new Set(activation.inputs.map((input) => workspaceAfter(state, input.activationId, seen)));
  const [only = null] = found;
  return found.size === 1 ? only : null;
}

/** The folder that a new session works in, or what must happen before it is there. */
export function placeFor(
  moment: Moment,
  activation: ActivationState,
  { ownWorkspace, lane }: Pick<TurnDecision, 'ownWorkspace' | 'lane'>,
): { readonly workspaceId: Place } | RunEvent[] {
  const { state } = moment;
  if (ownWorkspace === undefined || state.workspaceMode === 'project')
    return { workspaceId: workspaceBefore(state, activation) };
  const owner = ownWorkspace === 'lane' ? (lane ?? null) : null;
  const own = activation.workspaceIds.map((id) => state.workspaces[id]).find((one) => one?.lane === owner);
  switch (own?.status) {
    case 'ready':
      return { workspaceId: own.id };
    case 'requested':
      return [];
    case 'failed':
      return endActivation(
        moment,
        activation,
        own.error ?? appError('workspace.failed', 'no working folder'),
      );
    case undefined:
      return [
        {
          type: 'workspace.requested',
          workspaceId: state.last.workspace + 1,
          activationId: activation.id,
          lane: owner,
          from: earlier(state, activation, owner) ?? workspaceBefore(state, activation),
        },
      ];
  }
}

/** A step that is asked for a revision goes on from where it was. */
function earlier(state: RunState, activation: ActivationState, lane: string | null): Place {
  const ids = own(state.steps, activation.stepId)?.activationIds ?? [];
  const previous = ids
    .filter((id) => id < activation.id)
    .flatMap((id) => state.activations[id]?.workspaceIds ?? []);
  return (
    previous.findLast(
      (id) => state.workspaces[id]?.lane === lane && state.workspaces[id]?.status === 'ready',
    ) ?? null
  );
}
