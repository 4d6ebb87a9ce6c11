import { own, setOwn } from '../../own';
import { changeActivation } from '../change';
import type { Reducers } from '../event-table';
import type { ActivationState, PlatformState } from '../platform-state';
import type { ActivationEvent } from './events';

const BLANK: Pick<
  ActivationState,
  Exclude<keyof ActivationState, 'id' | 'stepId' | 'attempt' | 'inputs' | 'startedAt'>
> = {
  status: 'running',
  outcome: null,
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

export const activationReducers: Reducers<PlatformState, ActivationEvent> = {
  'activation.started'(state, { activationId: id, stepId, attempt, inputs }, at) {
    state.last.activation = Math.max(state.last.activation, id);
    state.activations[id] = { ...BLANK, id, stepId, attempt, inputs, startedAt: at };
    const step = own(state.steps, stepId);
    if (step)
      setOwn(state.steps, stepId, { ...step, activationIds: [...step.activationIds, id], skipped: null });
  },
  'activation.finished'(state, { type: _, activationId, ...end }, at) {
    changeActivation(state, activationId, () => ({ ...end, status: 'finished', finishedAt: at }));
  },
  'step.skipped'(state, { stepId, reason }) {
    const step = own(state.steps, stepId);
    if (step) setOwn(state.steps, stepId, { ...step, skipped: reason });
  },
};
