import { capabilitiesOf } from '@areas/agents/contract/agent-kinds';
import { readingHold } from '@areas/agents/contract/permission-capabilities';
import { continuedResponse } from '@areas/sessions/contract/response';
import type { ContextBundle } from '@areas/workflows/contract/definition';
import { withTexts } from '@areas/workflows/core/reference/templates';
import { ownValue } from '@contract/own';
import { type DurableKey, keyText, type TimerKey } from '@contract/run/keys';
import { stepTitle } from '@contract/run/scope/path';
import type { ActivationState, PromptState, RunState, TurnState } from '@contract/run/state';
import { activationWorks, hasComeToRest } from '@contract/run/status';
import type { FeatureSlices } from '@features/contract';
import { allWhole, wholeOf } from '../../ports/whole-texts';
import type {
  ActivationView,
  AnsweredTurn,
  AskedGate,
  EndedCapture,
  EndedCommand,
  LaneView,
  SetTimer,
} from '../../step/module';
import type { OutputFormat } from '../../step/output/output-format';
import { plainOutput } from '../../step/output/plain-output';
import { isModuleGate } from '../gates/gates';
import { waitsForOperator } from '../gates/turn-gates';
import type { Plan } from '../plan/plan';
import { readInputs } from '../schedule/inputs';
import { scopesAround, variablesOf } from '../schedule/step-values';
import { isFirst } from '../scope/entry';
import { viewScopes } from '../scope/view';
import { effectiveOutcome } from '../turns/outcome';
import { isPending, turnsOf } from '../turns/pending-turns';
import { before, history, type Looked, previousActivation, saidInSession, toRevise } from './chain-history';

/** The last answered turn at each position of a lane's chain, in order. */
function answeredTurns(
  looked: Pick<Looked, 'plan' | 'state' | 'activation'>,
  lane: string | null = null,
): AnsweredTurn[] {
  const { state, activation } = looked;
  const turns: AnsweredTurn[] = [];
  for (const id of activation.turnIds) {
    const turn = state.turns[id];
    if (turn?.status !== 'completed' || turn.lane !== lane) continue;
    turns[turn.ordinal] = answerOf(looked, turn);
  }
  return turns;
}

/** An agent's whole response: an interrupted turn and its continuation are one. */
export function wholeResponse(
  { plan, state: { turns } }: Pick<Looked, 'plan' | 'state'>,
  turn: TurnState,
): string {
  const parts = [turn];
  for (let one = turn; one.kind === 'continue'; ) {
    const before = turns[one.resendOf ?? 0];
    if (before === undefined) break;
    parts.unshift(before);
    one = before;
  }
  const [first, ...others] = parts.map(({ response, toolCalls }) => ({
    response: wholeOf(plan.texts, response),
    toolCalls,
  }));
  return first === undefined ? '' : others.reduce(continuedResponse, first).response;
}

function answerOf(looked: Pick<Looked, 'plan' | 'state'>, turn: TurnState): AnsweredTurn {
  const { id: turnId, ordinal, usage, commit, changes, commands, finishedAt } = turn;
  return {
    turnId,
    ordinal,
    response: wholeResponse(looked, turn),
    usage,
    commit,
    changes,
    commands,
    finishedAt,
  };
}

/** What a step's module sees of its activation. */
export function viewActivation(
  plan: Plan,
  state: RunState,
  activation: ActivationState,
): ActivationView<unknown> {
  const step = plan.steps.get(activation.stepId);
  if (step === undefined)
    throw new Error(`activation ${activation.id} of an unknown step ${activation.stepId}`);
  return new View({ plan, state, step, activation });
}

/** Computes each part on demand: few modules read the history, which grows with the run. */
class View implements ActivationView<unknown> {
  readonly stepId: string;
  readonly title: string;
  readonly activationId: number;
  readonly attempt: number;
  readonly config: unknown;
  readonly format: OutputFormat | null;
  readonly inputs: Readonly<Record<string, readonly ContextBundle[]>>;
  readonly connected: ReadonlySet<string>;

  constructor(private readonly looked: Looked) {
    const { step, activation } = looked;
    this.stepId = activation.stepId;
    this.title = step.title;
    this.activationId = activation.id;
    this.attempt = activation.attempt;
    this.config = withTexts(step.bound.config, allWhole(looked.plan.texts, activation.expanded?.texts ?? {}));
    this.format = step.format;
    this.inputs = readInputs(looked);
    this.connected = step.connected;
  }

  get revisions() {
    return before(this.looked).filter((activation) => activation.outcome === 'revised').length;
  }

  get history() {
    return history(this.looked, this.inputs);
  }

  get projectContext() {
    return this.looked.state.projectContext;
  }

  get request() {
    return isFirst(this.looked.plan, this.looked.step) ? this.looked.state.instruction : null;
  }

  get arguments() {
    return this.looked.state.instruction;
  }

  isInSession(bundle: ContextBundle) {
    return saidInSession(this.looked, bundle);
  }

  get toRevise() {
    return toRevise(this.looked, this.inputs);
  }

  get requestAttachments() {
    return isFirst(this.looked.plan, this.looked.step) ? this.looked.state.attachments : [];
  }

  get turns() {
    return answeredTurns(this.looked);
  }

  get promptsSent() {
    const { state, activation } = this.looked;
    return turnsOf(state, activation).filter((turn) => turn.resendOf === null).length;
  }

  get commands() {
    return endedCommands(this.looked);
  }

  get scopes() {
    const { plan, state, activation } = this.looked;
    return viewScopes(plan, state, activation);
  }

  get variables() {
    const { plan, state } = this.looked;
    return allWhole(plan.texts, variablesOf(scopesAround(plan, state, this.stepId)));
  }

  get gates() {
    const { state, activation } = this.looked;
    return activation.gateIds.flatMap((id, index) => {
      const gate = state.gates[id];
      if (gate === undefined || !isModuleGate(gate)) return [];
      // Decisions from before the resume stay valid, except the one to fail.
      const holds = gate.answer !== null && gate.answer.option !== 'fail';
      return index >= activation.resumedAtGate || holds ? [{ answer: gate.answer }] : [];
    });
  }

  get sessionKey() {
    return lastSessionKey(this.looked.state, this.looked.activation);
  }

  get previousSessionKey() {
    return lastSessionKey(this.looked.state, previousActivation(this.looked));
  }

  get captures() {
    return endedCaptures(this.looked);
  }

  attachment(path: string) {
    return ownValue(this.looked.state.files, path) ?? null;
  }

  lane(name: string): LaneView {
    const { state, activation } = this.looked;
    const previous = previousActivation(this.looked);
    return {
      turns: answeredTurns(this.looked, name),
      sessionKey: laneKey(state, activation, name),
      previousSessionKey: previous === undefined ? null : laneKey(state, previous, name),
      get prompted() {
        return promptedIn(state, ownValue(activation.lanes, name) ?? 0);
      },
      get held() {
        const turn = lastTurn(state, activation, name);
        return turn === undefined ? { now: false, lastGate: null } : waitsForOperator(state, turn);
      },
      ...laneNow(this.looked, name),
    };
  }

  part<N extends keyof FeatureSlices>(slice: N): FeatureSlices[N][number] | null {
    return this.looked.state[slice][this.looked.activation.id] ?? null;
  }

  get resting() {
    const { state, activation } = this.looked;
    return !activationWorks(state, activation) && hasComeToRest(state, activation);
  }

  get workspaceMode() {
    return this.looked.state.workspaceMode;
  }

  get now() {
    return this.looked.state.at;
  }

  promptText(id: string) {
    return ownValue(this.looked.state.prompted, id) ?? null;
  }

  turnStatus(turnId: number) {
    const turn = this.looked.state.turns[turnId];
    return turn?.activationId === this.activationId ? turn.status : null;
  }

  laterText(name: string) {
    const text = ownValue(this.looked.activation.laterTexts, name);
    return text === undefined ? null : wholeOf(this.looked.plan.texts, text);
  }

  gateByKey(key: DurableKey): AskedGate | null {
    const { state, activation } = this.looked;
    const about = keyText(key);
    const index = activation.gateIds.findLastIndex((one) => state.gates[one]?.about === about);
    const gate = state.gates[activation.gateIds[index] ?? 0];
    if (gate === undefined) return null;
    const { id: gateId, status, answer, openedAt } = gate;
    return { gateId, status, answer, openedAt, earlier: index < activation.resumedAtGate };
  }

  timer(key: TimerKey): SetTimer | null {
    const { state, activation } = this.looked;
    const purpose = keyText(key);
    const id = activation.timerIds.findLast((one) => state.timers[one]?.purpose === purpose);
    return state.timers[id ?? 0] ?? null;
  }

  stepTitle(key: string) {
    return stepTitle(this.looked.state, key);
  }

  agentName(profileId: string | null) {
    const { plan, state } = this.looked;
    const id = profileId ?? plan.defaultProfile;
    return ownValue(state.profiles, id ?? '')?.name ?? id ?? 'agent';
  }

  takesTools(profileId: string | null) {
    const { plan, state } = this.looked;
    const profile = ownValue(state.profiles, profileId ?? plan.defaultProfile ?? '');
    return profile !== undefined && capabilitiesOf(profile).mcp;
  }

  readingHold(profileId: string | null) {
    const { plan, state } = this.looked;
    const profile = ownValue(state.profiles, profileId ?? plan.defaultProfile ?? '');
    return profile === undefined ? 'none' : readingHold(profile);
  }
}

function lastTurn(state: RunState, activation: ActivationState, lane: string): TurnState | undefined {
  const id = activation.turnIds.findLast((one) => state.turns[one]?.lane === lane);
  return state.turns[id ?? 0];
}

function laneNow(
  looked: Looked,
  lane: string,
): Pick<LaneView, 'last' | 'spent' | 'resumed' | 'compacted' | 'broken' | 'retried'> {
  const { state, activation } = looked;
  const turn = lastTurn(state, activation, lane);
  const session = state.sessions[ownValue(activation.lanes, lane) ?? 0];
  const resumed = turn?.finishedAt != null && session?.status === 'ready' && session.since > turn.finishedAt;
  const last =
    turn === undefined
      ? null
      : {
          turnId: turn.id,
          status: effectiveOutcome(turn),
          startedAt: turn.startedAt,
          finishedAt: turn.finishedAt,
          again: activation.turnIds.lastIndexOf(turn.id) < (ownValue(activation.restoredLanes, lane) ?? 0),
          waitedAt: waitedAt(state, turn),
          cancelledBy: turn.cancelledBy,
          pending: isPending(activation, turn),
        };
  const spent = turn?.status === 'max_requests' ? answerOf(looked, turn) : null;
  const broken = ownValue(activation.brokenLanes, lane)?.error ?? null;
  const retried = ownValue(activation.retriedLanes, lane) ?? 0;
  return { last, spent, resumed, compacted: turn?.compacted === true, broken, retried };
}

function waitedAt({ turns }: RunState, turn: TurnState): number | null {
  let before = turns[turn.resendOf ?? 0];
  while (before !== undefined && before.status !== 'limit' && before.status !== 'login')
    before = turns[before.resendOf ?? 0];
  return before?.id ?? null;
}

function promptedIn(state: RunState, sessionId: number): LaneView['prompted'] {
  const turn = state.turns[state.sessions[sessionId]?.turnIds.at(-1) ?? 0];
  if (turn?.status === 'in_flight' && turn.promptId !== null) return 'in_flight';
  if (state.last.prompt === 0) return null;
  const waits = (one: PromptState) => one.sessionId === sessionId && one.status === 'queued';
  return Object.values(state.prompts).some(waits) ? 'queued' : null;
}

const laneKey = (state: RunState, activation: ActivationState, lane: string): string | null =>
  state.sessions[ownValue(activation.lanes, lane) ?? 0]?.key ?? null;

function endedCaptures({ state, activation }: Looked): EndedCapture[] {
  return activation.captureIds.flatMap((id) => {
    const capture = state.captures[id];
    if (capture === undefined || capture.status === 'running') return [];
    const { name, diff, files, notes, error } = capture;
    return [{ id, name, diff, files, notes, error }];
  });
}

function lastSessionKey(state: RunState, activation: ActivationState | undefined): string | null {
  const id = activation?.sessionIds.at(-1);
  return id === undefined ? null : (state.sessions[id]?.key ?? null);
}

function endedCommands({ plan, state, activation }: Looked): EndedCommand[] {
  return activation.commandIds.slice(activation.resumedAtCommand).flatMap((id) => {
    const command = state.commands[id];
    if (!command || command.status === 'running' || command.status === 'interrupted') return [];
    const { exitCode, outputPath, error, about } = command;
    const output = plainOutput(plan.texts, command.output);
    const ended = { outcome: command.status, exitCode, output, outputPath, error };
    return [about === undefined ? ended : { about, ...ended }];
  });
}
