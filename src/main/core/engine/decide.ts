import type { AppError } from '@contract/errors';
import { ownValue } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import { stepTitle } from '@contract/run/scope/path';
import type { ActivationState, GateState, RunState } from '@contract/run/state';
import { activationWorks, waitsForSession } from '@contract/run/status';
import { features } from '@features/core';
import { advanceActivation } from './activation/activation';
import type { DecisionInput } from './base/decision-input';
import { endActivation } from './base/finish';
import type { FeatureModule } from './feature-module';
import { budgetNear } from './limits/budget';
import { isCrowded } from './limits/session-capacity';
import { keepTimeLimits } from './limits/time-limit';
import { lastActivation } from './schedule/last-activation';
import { cancelScopes, endScopes } from './scope/end';
import { entryInputs } from './scope/entry';
import { operatorSpeaks, sendPrompts, withdrawPrompts } from './turns/prompts';

/**
 * What must happen next in a run, as events to commit; empty while it waits. Pure: the same moment gives the
 * same events. The caller folds the events and calls again until none follow, so that everything that becomes
 * ready at once is committed at once.
 */
export function decide(moment: DecisionInput): readonly RunEvent[] {
  const { state } = moment;
  if (state.status === 'finished') return [];
  if (state.status === 'cancelling') return decideCancel(moment);
  if (state.last.prompt > 0) {
    const prompts = sendPrompts(moment);
    if (prompts.length > 0) return prompts;
  }
  if (state.reopened !== null) return operatorSpeaks(moment) ? [] : endAgain(state, state.reopened);
  const limited = keepTimeLimits(moment);
  if (limited.length > 0) return limited;
  const skipped = recordSkips(moment);
  if (skipped.length > 0) return skipped;
  const ended = endScopes(moment, stopsStarting(moment));
  if (ended.length > 0) return ended;
  const near = budgetNear(moment);
  if (near.length > 0) return near;
  const advanced = advance(moment);
  if (advanced.length > 0) return advanced;
  const again = firstOf((feature) => feature.resume(state));
  if (again.length > 0) return again;
  const started = startReady(moment);
  if (started.length > 0) return started;
  const reopened = askAgain(state);
  if (reopened.length > 0) return reopened;
  if (moment.schedule.running.size > 0)
    return isCrowded(moment) ? makeRoom({ ...moment, makesRoom: true }) : [];
  if (moment.schedule.hasRetrying && !stopsStarting(moment)) return [];
  if (state.last.prompt > 0 && operatorSpeaks(moment)) return [];
  return Object.values(state.gates).some(isEscalation) ? [] : finishRun(moment);
}

/**
 * Nothing else can be decided, and a profile is at its limit: an idle session gives up its place to a step or
 * prompt.
 */
function makeRoom(moment: DecisionInput): RunEvent[] {
  const events = advance(moment);
  return events.length > 0 || moment.state.last.prompt === 0 ? events : sendPrompts(moment);
}

/** One activation at a time: the numbers of what it starts must be known before the next one decides. */
function advance(moment: DecisionInput): RunEvent[] {
  for (const id of moment.schedule.deciding) {
    const activation = moment.state.activations[id];
    const events = activation === undefined ? [] : advanceActivation(moment, activation);
    if (events.length > 0) return events;
  }
  return [];
}

/** A question that a step asked at its end; the run cannot end before it is answered. */
const isEscalation = (gate: GateState): boolean =>
  (gate.kind === 'review_escalation' || gate.kind === 'iteration_failed') && gate.status === 'open';

/** The question, after a step's end, whether to accept its unapproved result. */
const asksAfterwards = ({ kind, options }: GateState): boolean =>
  kind === 'review_escalation' && options.some(({ id }) => id === 'reject');

/** Questions withdrawn when the run ended are asked again after a resume, if the work still counts. */
function askAgain(state: RunState): RunEvent[] {
  for (const gate of Object.values(state.gates)) {
    if (gate.id > state.takenUpAtGate) break;
    if (gate.status !== 'withdrawn' || !asksAfterwards(gate)) continue;
    const activation = state.activations[gate.activationId ?? 0];
    if (activation?.status !== 'finished' || lastActivation(state, activation.stepId) !== activation)
      continue;
    if (activation.gateIds.some((id) => id > gate.id)) continue;
    const { id: _, status, openedAt, closedAt, answer, by, delivered, reason, spent, ...question } = gate;
    return [{ type: 'gate.opened', ...question, gateId: state.last.gate + 1 }];
  }
  return [];
}

/** The events of the first feature that has any. */
function firstOf(ask: (feature: FeatureModule) => readonly RunEvent[]): readonly RunEvent[] {
  for (const feature of features) {
    const events = ask(feature);
    if (events.length > 0) return events;
  }
  return [];
}

/** A run reopened for the operator's prompt ends with its earlier outcome. */
function endAgain(state: RunState, { outcome, reason }: NonNullable<RunState['reopened']>): RunEvent[] {
  return [...closeAll(state), { type: 'run.finished', outcome, reason }];
}

function running({ state, schedule }: DecisionInput): ActivationState[] {
  return [...schedule.running].flatMap((id) => state.activations[id] ?? []);
}

/** A skip is committed as soon as it is certain, and withdrawn when an earlier step runs again. */
function recordSkips({ schedule }: DecisionInput): RunEvent[] {
  return schedule.unrecorded.map(({ step, place }): RunEvent => {
    const stepId = step.definition.id;
    return place.place === 'closed'
      ? { type: 'step.skipped', stepId, reason: place.because, cause: place.cause }
      : { type: 'step.skip-withdrawn', stepId };
  });
}

/** A rejected run finishes its current work and starts nothing new. */
const stopsStarting = ({ schedule, state }: DecisionInput): boolean => schedule.rejected || isRefused(state);

/** Its condition could not be decided. */
const failedAtOnce = (activationId: number, error: AppError): RunEvent => ({
  type: 'activation.finished',
  activationId,
  outcome: 'failed',
  outputs: {},
  signals: [],
  receipt: {},
  warnings: [],
  error,
});

function startReady(moment: DecisionInput): RunEvent[] {
  const { state, plan, schedule } = moment;
  if (!schedule.hasReady || stopsStarting(moment)) return [];
  let room = plan.definition.max_parallel;
  for (const activation of running(moment)) if (!waits(state, activation)) room -= 1;
  let next = state.last.activation;
  const events: RunEvent[] = [];
  for (const { step, place } of schedule.firstReady(room)) {
    if (place.place !== 'ready') continue;
    next += 1;
    const stepId = step.definition.id;
    const attempt = (ownValue(state.steps, stepId)?.activationIds.length ?? 0) + 1;
    events.push(...supersede(state, stepId), {
      type: 'activation.started',
      activationId: next,
      stepId,
      attempt,
      inputs: [...entryInputs(state, step), ...place.inputs],
      ...(place.sources === undefined ? {} : { sources: [...place.sources] }),
    });
    if (place.fails !== undefined) events.push(failedAtOnce(next, place.fails));
  }
  return events;
}

/** Questions about work that the step now does again need no answer. */
const supersede = ({ steps, activations, gates }: RunState, stepId: string): RunEvent[] =>
  (ownValue(steps, stepId)?.activationIds ?? []).flatMap((id) =>
    (activations[id]?.gateIds ?? []).flatMap((gateId): RunEvent[] => {
      const gate = gates[gateId];
      return gate !== undefined && isEscalation(gate)
        ? [{ type: 'gate.withdrawn', gateId, reason: 'The step works on it again.' }]
        : [];
    }),
  );

/**
 * An activation that only waits for the operator or for another's session does not count against the parallel
 * limit. If its agent asks in the middle of a turn it does, because the turn is still in flight.
 */
function waits(state: RunState, activation: ActivationState): boolean {
  if (waitsForSession(state, activation) || (activation.scopes?.open ?? 0) > 0) return true;
  const inFlight = activation.turnIds.some((id) => state.turns[id]?.status === 'in_flight');
  if (inFlight || activation.gateIds.every((id) => state.gates[id]?.status !== 'open')) return false;
  return !activationWorks(state, activation);
}

/**
 * The newest activation of each step, including steps that would run again if the run had not been rejected.
 * A step skipped since then has no result.
 */
const newestOf = ({ state, schedule }: Pick<DecisionInput, 'state' | 'schedule'>): ActivationState[] =>
  schedule.ownPlaces.flatMap(({ step }) => {
    const { id } = step.definition;
    return ownValue(state.steps, id)?.skipped == null ? (lastActivation(state, id) ?? []) : [];
  });

function finishRun({ state, schedule }: DecisionInput): RunEvent[] {
  const events: RunEvent[] = [];
  const last = newestOf({ state, schedule });
  const failed = [...last.filter((activation) => activation.outcome === 'failed'), ...failedScopes(state)];
  const rejected = last.filter((activation) => activation.outcome === 'rejected');
  const cancelled = last.filter((activation) => activation.outcome === 'cancelled');
  for (const { step, place } of schedule.ownPlaces) {
    const stepId = step.definition.id;
    if (lastActivation(state, stepId) !== null || ownValue(state.steps, stepId)?.skipped != null) continue;
    const because = place.place === 'closed' ? place.because : 'the run ended before it could start';
    events.push({ type: 'step.skipped', stepId, reason: because, cause: 'run_ended' });
  }
  const refused = last.filter((activation) => refusedAfterwards(state, activation));
  rejected.push(...refused);
  const outcome =
    rejected.length > 0
      ? 'rejected'
      : failed.length > 0
        ? 'failed'
        : cancelled.length > 0
          ? 'cancelled'
          : 'succeeded';
  const ended = { rejected, failed, cancelled, succeeded: [] }[outcome];
  const reason = outcome === 'succeeded' ? null : reasonWords(state, outcome, ended);
  return [...events, ...closeAll(state), { type: 'run.finished', outcome, reason }];
}

/** Steps that succeeded although one of their scopes failed: a run with a failed step is never green. */
const failedScopes = (state: RunState): ActivationState[] =>
  Object.values(state.activations).filter(
    (one) =>
      one.outcome === 'succeeded' &&
      (one.scopes?.failed ?? 0) > 0 &&
      lastActivation(state, one.stepId)?.id === one.id,
  );

/** The operator rejected a result that the step had given out without approval. */
const refusedAfterwards = (state: RunState, { gateIds, outcome }: ActivationState): boolean =>
  outcome === 'succeeded' &&
  gateIds.some(
    (id) => state.gates[id]?.kind === 'review_escalation' && state.gates[id]?.answer?.option === 'reject',
  );

/**
 * Work that still counts was rejected after its step had ended. Called for every step, so it looks only at
 * gates.
 */
const isRefused = (state: RunState): boolean =>
  Object.values(state.gates).some(({ kind, answer, activationId }) => {
    if (kind !== 'review_escalation' || answer?.option !== 'reject') return false;
    const activation = state.activations[activationId ?? 0];
    return (
      activation?.outcome === 'succeeded' && lastActivation(state, activation.stepId)?.id === activation.id
    );
  });

/** For a step that succeeded itself: how many of its passes, items or variants did not. */
function partOf({ outcome, scopes }: ActivationState): string {
  if (outcome !== 'succeeded' || scopes === undefined) return '';
  return scopes.failed > 0 ? `${scopes.failed} of ${scopes.opened} in ` : '';
}

function reasonWords(
  state: RunState,
  outcome: 'rejected' | 'failed' | 'cancelled',
  ended: readonly ActivationState[],
): string {
  const titles = ended.map((one) => `${partOf(one)}"${stepTitle(state, one.stepId)}"`);
  const was = outcome === 'failed' ? '' : titles.length > 1 ? 'were ' : 'was ';
  return `${titles.join(', ')} ${was}${outcome}`;
}

/** A cancelled run ends once nothing is in flight. */
function decideCancel(moment: DecisionInput): RunEvent[] {
  const { state } = moment;
  const open = Object.values(state.gates).filter((gate) => gate.status === 'open');
  if (open.length > 0) {
    return open.map((gate) => ({
      type: 'gate.withdrawn',
      gateId: gate.id,
      reason: 'The run was cancelled.',
    }));
  }
  const unsent = withdrawPrompts(state, 'The run was cancelled.');
  if (unsent.length > 0) return unsent;
  const inFlight =
    state.workspaceStatus === 'requested' ||
    features.some((feature) => [...feature.open(state)].length > 0) ||
    Object.values(state.workspaces).some((workspace) => workspace.status === 'requested') ||
    Object.values(state.captures).some((capture) => capture.status === 'running') ||
    Object.values(state.turns).some((turn) => turn.status === 'in_flight') ||
    Object.values(state.commands).some((command) => command.status === 'running') ||
    Object.values(state.sessions).some(
      (session) => session.status === 'starting' || session.status === 'resuming',
    );
  if (inFlight) return [];
  const cut = features.flatMap((feature) => feature.atCancel(state, { isCut: false }));
  if (cut.length > 0) return cut;
  if (state.reopened !== null) return endAgain(state, state.reopened);
  return [
    ...cancelScopes(state),
    ...running(moment).flatMap((activation) => endActivation(moment, activation, 'cancelled')),
    ...closeAll(state),
    { type: 'run.finished', outcome: 'cancelled', reason: state.cancelReason ?? 'cancelled by the operator' },
  ];
}

/** A finished run keeps no process: its sessions are closed, and are resumed with the run. */
function closeAll(state: RunState): RunEvent[] {
  const live = Object.values(state.sessions).filter((session) => session.status === 'ready');
  return [
    ...live.map((session): RunEvent => ({ type: 'session.closed', sessionId: session.id })),
    ...Object.values(state.gates).flatMap((gate): RunEvent[] =>
      gate.status === 'open'
        ? [{ type: 'gate.withdrawn', gateId: gate.id, reason: 'The run has ended.' }]
        : [],
    ),
  ];
}
