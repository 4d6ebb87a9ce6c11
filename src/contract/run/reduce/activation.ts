import { own, setOwn } from '../../own';
import { unreachable } from '../../result';
import type { RunEvent } from '../events';
import type { RunState } from '../state';
import { changeActivation } from './change';

export type ActivationEvent = Extract<RunEvent, { type: `activation.${string}` | `step.${string}` }>;

export function applyActivation(state: RunState, event: ActivationEvent, at: number): void {
  switch (event.type) {
    case 'activation.started': {
      const { type: _, activationId: id, stepId, attempt, inputs } = event;
      state.last.activation = Math.max(state.last.activation, id);
      state.activations[id] = {
        id,
        stepId,
        attempt,
        inputs,
        status: 'running',
        outcome: null,
        startedAt: at,
        finishedAt: null,
        sessionIds: [],
        turnIds: [],
        commandIds: [],
        captureIds: [],
        workspaceIds: [],
        lanes: {},
        brokenLanes: {},
        restoredLanes: {},
        retriedLanes: {},
        gateIds: [],
        timerIds: [],
        outputs: {},
        signals: [],
        receipt: {},
        warnings: [],
        error: null,
        resumedAtTurn: 0,
        resumedAtCommand: 0,
        resumedAtGate: 0,
      };
      const step = own(state.steps, stepId);
      if (step)
        setOwn(state.steps, stepId, { ...step, activationIds: [...step.activationIds, id], skipped: null });
      return;
    }
    case 'activation.finished': {
      const { type: _, activationId, ...end } = event;
      changeActivation(state, activationId, () => ({ ...end, status: 'finished', finishedAt: at }));
      return;
    }
    case 'step.skipped': {
      const step = own(state.steps, event.stepId);
      if (step) setOwn(state.steps, event.stepId, { ...step, skipped: event.reason });
      return;
    }
    default:
      return unreachable(event);
  }
}
