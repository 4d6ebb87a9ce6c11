import { storedTime } from '@contract/bounds';
import { type AppError, appError } from '@contract/errors';
import { PROMPT_BYTES } from '@contract/limits';
import { ownValue } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import { keyText } from '@contract/run/keys';
import type { ActivationState, TurnState } from '@contract/run/state';
import { sizeWords } from '@contract/size-words';
import { exceedsUtf8, utf8Length } from '@contract/text-length';
import { TextFault } from '../../ports/whole-texts';
import type {
  CaptureDecision,
  CommandDecision,
  StepDecision,
  StepDecisions,
  StopDecision,
  TellDecision,
  TimerDecision,
  TurnDecision,
} from '../../step/decision';
import type { DecisionInput } from '../base/decision-input';
import { endActivation, finish, releaseSession } from '../base/finish';
import { afterStop, stopScopes } from '../base/stop';
import { placeFor } from '../folders/workspace';
import { isModuleGate, openGate } from '../gates/gates';
import { withdrawLeft } from '../gates/turn-gates';
import { budgetVerdict } from '../limits/budget';
import { askAgain } from '../resume/ask-again';
import { expandAtStart, expandLater } from '../scope/expansion';
import { openScope } from '../scope/open';
import { dispatch } from '../turns/dispatch';
import { afterInterruptedCommand } from '../turns/interrupted-turns';
import {
  atRest,
  ends,
  failsAlone,
  isOver,
  laneFailed,
  mustWait,
  type Standing,
  standing,
} from '../turns/lanes';
import { needWorkspace, sessionOf, takeSession } from '../turns/readiness';
import { viewActivation } from './view';

/**
 * The next events of a running activation; empty while all of it is in flight or waiting. A text that cannot be read
 * fails it: a decision without that text would be another one.
 */
export function advanceActivation(moment: DecisionInput, activation: ActivationState): RunEvent[] {
  try {
    return advance(moment, activation);
  } catch (cause) {
    if (cause instanceof TextFault && cause.error.code === 'reference.unreadable')
      return endActivation(moment, activation, cause.error);
    throw cause;
  }
}

function advance(moment: DecisionInput, activation: ActivationState): RunEvent[] {
  const { state, plan } = moment;
  const last = state.turns[activation.turnIds.at(-1) ?? 0];
  if (last?.status === 'in_flight' && last.lane === null) return [];
  const lastCommand = state.commands[activation.commandIds.at(-1) ?? 0];
  if (lastCommand?.status === 'running') return [];
  const step = plan.steps.get(activation.stepId);
  if (step === undefined) return [];
  if (activation.stopping !== undefined) return afterStop(moment, activation);
  const undecided = askAgain(moment, activation, step);
  if (undecided !== null) return undecided;
  const expanded = expandAtStart(moment, activation, step);
  if (expanded !== null) return expanded;
  const past = withdrawLeft(state, activation);
  if (past.length > 0) return past;
  const lanes = standing(moment, activation);
  if (Array.isArray(lanes)) return lanes;
  if (lastCommand?.status === 'interrupted' && activation.commandIds.length > activation.resumedAtCommand) {
    const verdict = afterInterruptedCommand(moment, activation, lastCommand);
    if (verdict !== 'again') return verdict;
  }
  for (const id of activation.gateIds) {
    const gate = state.gates[id];
    if (gate?.status === 'open' && isModuleGate(gate) && gate.about === undefined) return [];
  }
  // If the only lane failed permanently, there is nothing to decide.
  const [onlyEnd] = lanes.ended.values();
  if (onlyEnd !== undefined && Object.keys(activation.lanes).length < 2)
    return withWhatWasMade(moment, activation, onlyEnd);
  return carryOutAll(moment, activation, {
    lanes,
    decisions: step.bound.decide(viewActivation(plan, state, activation)),
  });
}

/**
 * Carries out the first possible decision. A decision that ends the activation waits until nothing is in
 * flight: agents beside a failed one finish their turn, and their answers are kept.
 */
function carryOutAll(
  moment: DecisionInput,
  activation: ActivationState,
  { lanes, decisions }: { lanes: Standing; decisions: StepDecisions },
): RunEvent[] {
  let end = [...lanes.ended.values()][0] ?? null;
  let pending = false;
  let makesRoom: RunEvent[] | null = null;
  for (const decision of Array.isArray(decisions)
    ? (decisions as StepDecision[])
    : [decisions as StepDecision]) {
    if (isOver(decision, lanes) || isOut(activation, decision)) continue;
    const lane = decision.kind === 'turn' ? (decision.lane ?? '') : '';
    const events = mustWait(decision, lanes)
      ? []
      : carryOut(moment, activation, { decision, resendOf: lanes.unanswered.get(lane) ?? null });
    if (events.length === 0) pending ||= decision.kind === 'turn' || decision.kind === 'capture';
    // A ready session gets its turn before it might have to make room for another.
    else if (decision.kind === 'turn' && events[0]?.type === 'session.parked') makesRoom ??= events;
    else if (decision.kind === 'turn' && ends(events, activation) && failsAlone(moment, activation))
      return [laneFailed(moment.state, activation, { lane, events })];
    else if (ends(events, activation) && !atRest(lanes)) end ??= events;
    else return events;
  }
  if (makesRoom !== null) return makesRoom;
  return end !== null && atRest(lanes) && !pending ? withWhatWasMade(moment, activation, end) : [];
}

/**
 * An agent that stopped by itself after too many requests counts as having reached a cap: the module ends the
 * step as at its own cap, with its artifacts (SPEC "Re-prompts"). Nothing of the activation is in flight
 * here.
 */
function withWhatWasMade(moment: DecisionInput, activation: ActivationState, end: RunEvent[]): RunEvent[] {
  const { state, plan } = moment;
  const finished = end.find((event) => event.type === 'activation.finished');
  const spent = activation.turnIds.some((id) => state.turns[id]?.status === 'max_requests');
  const error = finished?.error ?? null;
  if (!spent || error?.code !== 'step.max_iterations' || finished?.activationId !== activation.id) return end;
  const decided = plan.steps
    .get(activation.stepId)
    ?.bound.spent(viewActivation(plan, state, activation), error);
  if (decided == null) return end;
  const decisions = Array.isArray(decided) ? (decided as StepDecision[]) : [decided as StepDecision];
  for (const decision of decisions) {
    const events = carryOut(moment, activation, { decision, resendOf: null });
    if (events.length > 0) return events;
  }
  return [];
}

/** A lane that failed permanently gets no more decisions until it is resumed. */
const isOut = ({ brokenLanes }: ActivationState, decision: StepDecision): boolean =>
  decision.kind === 'turn' && ownValue(brokenLanes, decision.lane ?? '') !== undefined;

interface NextDecision {
  decision: StepDecision;
  resendOf: TurnState | null;
}

function carryOut(moment: DecisionInput, activation: ActivationState, wanted: NextDecision): RunEvent[] {
  const { decision } = wanted;
  switch (decision.kind) {
    case 'finish':
      return stopScopes(moment, activation) ?? finish(moment, activation, decision);
    case 'scope':
      return openScope(moment, activation, decision);
    case 'gate':
      return [openGate(moment.state, activation, decision)];
    case 'command':
      return needWorkspace(moment, activation) ?? startCommand(moment, activation, decision);
    case 'turn':
      return sendTurn(moment, activation, { ...wanted, decision });
    case 'capture':
      return startCapture(moment, activation, decision);
    case 'tell':
      return tell(moment, activation, decision);
    case 'release': {
      const session = moment.state.sessions[ownValue(activation.lanes, decision.lane) ?? 0];
      const { how, reason } = decision;
      const released = how === 'park' && reason !== undefined ? { parkedBecause: reason } : how;
      return session === undefined ? [] : releaseSession(moment.state, session, released);
    }
    case 'stop':
      return stopTurn(moment, activation, decision);
    case 'timer':
      return setTimer(moment, activation, decision);
    case 'expand':
      return expandLater(moment, activation, decision);
  }
}

function tell(moment: DecisionInput, activation: ActivationState, decision: TellDecision): RunEvent[] {
  const place = decision.inWorkspace ? needFolder(moment, activation) : null;
  const budget = decision.spends ? budgetVerdict(moment, activation.id) : null;
  return place ?? budget ?? [...decision.events];
}

/** What must happen before the step's folder exists; null if it does. */
function needFolder(moment: DecisionInput, activation: ActivationState): RunEvent[] | null {
  const needed = needWorkspace(moment, activation);
  if (needed !== null) return needed;
  const place = placeFor(moment, activation, { changesFiles: true });
  return Array.isArray(place) ? place : null;
}

function stopTurn(
  { state }: DecisionInput,
  activation: ActivationState,
  { lane, by }: StopDecision,
): RunEvent[] {
  // Also the operator's own prompt, which is not a turn of the activation.
  const { turnIds = [] } = state.sessions[ownValue(activation.lanes, lane) ?? 0] ?? {};
  const turn = turnIds.map((id) => state.turns[id]).findLast((one) => one?.status === 'in_flight');
  if (turn?.status !== 'in_flight' || turn.cancelledBy !== null) return [];
  return [{ type: 'turn.cancel-requested', turnId: turn.id, by }];
}

function setTimer(
  { state }: DecisionInput,
  activation: ActivationState,
  decision: TimerDecision,
): RunEvent[] {
  const { dueAt, watches } = decision;
  const purpose = keyText(decision.purpose);
  if (activation.timerIds.some((id) => state.timers[id]?.purpose === purpose)) return [];
  return [
    {
      type: 'timer.set',
      timerId: state.last.timer + 1,
      activationId: activation.id,
      dueAt: storedTime(dueAt),
      purpose,
      ...(watches === null ? {} : { watches }),
    },
  ];
}

function startCommand(
  moment: DecisionInput,
  activation: ActivationState,
  decision: CommandDecision,
): RunEvent[] {
  const { state } = moment;
  const { script, terminal, env, timeoutSeconds, about, joinsErrors, outputLimit } = decision;
  const place = placeFor(moment, activation, { changesFiles: true });
  if (Array.isArray(place)) return place;
  const { workspaceId } = place;
  return [
    {
      type: 'command.started',
      commandId: state.last.command + 1,
      activationId: activation.id,
      ...(workspaceId === null ? {} : { workspaceId }),
      script,
      terminal,
      env: { ...env, ...activation.expanded?.env },
      timeoutSeconds,
      ...(joinsErrors === true ? { joinsErrors } : {}),
      ...(outputLimit == null ? {} : { outputLimit }),
      ...(about === undefined ? {} : { about: keyText(about) }),
    },
  ];
}

/** Nothing starts during the capture; a session whose part is done is released in the same commit. */
function startCapture(
  moment: DecisionInput,
  activation: ActivationState,
  decision: CaptureDecision,
): RunEvent[] {
  const { state } = moment;
  const { name, lane, fromTurn, toTurn, release } = decision;
  if (activation.captureIds.some((id) => state.captures[id]?.name === name)) return [];
  const session =
    state.sessions[lane === null ? (activation.sessionIds[0] ?? 0) : (ownValue(activation.lanes, lane) ?? 0)];
  return [
    ...(release === null || session === undefined ? [] : releaseSession(state, session, release)),
    {
      type: 'capture.started',
      captureId: state.last.capture + 1,
      activationId: activation.id,
      name,
      workspaceId: session?.workspaceId ?? null,
      fromTurn,
      toTurn,
    },
  ];
}

const promptTooLarge = (bytes: number): AppError =>
  appError(
    'step.output_too_large',
    `the prompt has ${sizeWords(bytes)}; an agent gets at most ${sizeWords(PROMPT_BYTES)}`,
    {
      mend: 'set output_limit at the step whose output it has, or let the agent read a file',
    },
  );

function sendTurn(
  moment: DecisionInput,
  activation: ActivationState,
  wanted: NextDecision & { decision: TurnDecision },
): RunEvent[] {
  const { decision } = wanted;
  if (exceedsUtf8(decision.prompt, PROMPT_BYTES))
    return endActivation(moment, activation, promptTooLarge(utf8Length(decision.prompt)));
  const place = needWorkspace(moment, activation);
  if (place !== null) return place;
  const session = sessionOf(moment.state, activation, decision.lane);
  if (session === undefined) return takeSession(moment, activation, decision);
  const sent = dispatch(moment, session, {
    activation,
    ordinal: decision.ordinal,
    kind: decision.turn,
    prompt: decision.prompt,
    ...(decision.messages === undefined ? {} : { messages: [...decision.messages] }),
    attachments: decision.attachments,
    of: decision.of,
    resendOf: wanted.resendOf?.id ?? null,
    ...(decision.lane === undefined ? {} : { lane: decision.lane }),
    ...(decision.label === undefined ? {} : { label: decision.label }),
  });
  const turn = sent.find((event) => event.type === 'turn.dispatched');
  if (turn === undefined) return sent;
  const { progress } = decision;
  return [...sent, ...(typeof progress === 'function' ? progress(turn.turnId) : progress)];
}
