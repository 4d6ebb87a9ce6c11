import { ownValue, setOwnValue } from '../../own';
import { changeActivation } from '../change';
import type { Reducers } from '../event-table';
import type { ActivationState, PlatformState, StepState } from '../platform-state';
import { scopeOf } from '../scope/path';
import type { ActivationEvent } from './events';

/**
 * What an activation begins with. Fields that every activation has stand here too, because V8 copies an object quickly
 * and adds fields to a copy slowly: each takes a microsecond or more.
 */
const BLANK: ActivationState = {
  id: 0,
  stepId: '',
  attempt: 0,
  inputs: [],
  startedAt: 0,
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

export const NOT_SKIPPED = { skipped: null, skipCause: null } as const;

/** Steps of scopes are added at their first event. */
const stepAt = (state: PlatformState, id: string): StepState | undefined =>
  ownValue(state.steps, id) ?? (scopeOf(id) === null ? undefined : { id, activationIds: [], ...NOT_SKIPPED });

export const activationReducers: Reducers<PlatformState, ActivationEvent> = {
  'activation.started'(state, { activationId: id, stepId, attempt, inputs, sources }, at) {
    state.last.activation = Math.max(state.last.activation, id);
    const activation = { ...BLANK, id, stepId, attempt, inputs, startedAt: at };
    state.activations[id] = sources === undefined ? activation : { sources, ...activation };
    const step = stepAt(state, stepId);
    if (step)
      setOwnValue(state.steps, stepId, {
        ...step,
        skipped: null,
        skipCause: null,
        activationIds: [...step.activationIds, id],
      });
  },
  'activation.expanded'(state, { activationId, texts, env = {}, warnings, name }) {
    const [text] = Object.values(texts);
    if (name !== undefined && text !== undefined) {
      changeActivation(state, activationId, ({ laterTexts }) => ({
        laterTexts: { ...laterTexts, [name]: text },
      }));
      return;
    }
    changeActivation(state, activationId, () => ({ expanded: { texts, env, warnings } }));
  },
  'activation.stop-requested'(state, { activationId, error }) {
    changeActivation(state, activationId, () => ({ stopping: { error } }));
  },
  'activation.finished'(state, { type: _, activationId, ...end }, at) {
    changeActivation(state, activationId, ({ expanded }) => ({
      status: 'finished',
      finishedAt: at,
      ...end,
      warnings: [...(expanded?.warnings ?? []), ...end.warnings],
    }));
  },
  'activation.adopted'(state, { type: _, activationId: id, from, ...result }, at) {
    const { stepId } = result;
    state.last.activation = Math.max(state.last.activation, id);
    const times = { startedAt: at, finishedAt: at };
    state.activations[id] = { ...BLANK, ...result, id, ...times, status: 'finished', adopted: from };
    const step = stepAt(state, stepId);
    if (step) setOwnValue(state.steps, stepId, { ...step, activationIds: [...step.activationIds, id] });
  },
  'step.skipped'(state, { stepId, reason, cause }) {
    const step = stepAt(state, stepId);
    if (step) setOwnValue(state.steps, stepId, { ...step, skipped: reason, skipCause: cause });
  },
  'step.skip-withdrawn'(state, { stepId }) {
    const step = ownValue(state.steps, stepId);
    if (step) setOwnValue(state.steps, stepId, { ...step, ...NOT_SKIPPED });
  },
};
