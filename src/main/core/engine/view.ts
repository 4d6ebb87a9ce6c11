import type { ActivationState, RunState, TurnState } from '@contract/run/state';
import type { ContextBundle } from '@contract/workflow/definition';
import { bundleText } from '../step/bundle';
import type { ActivationView, AnsweredTurn, HistoryEntry } from '../step/module';
import type { Plan, PlannedStep } from './plan';
import { lastActivation } from './schedule';

/** The last answered turn of each place in the activation's chain, in order. */
export function answeredTurns(state: RunState, activation: ActivationState): AnsweredTurn[] {
  const turns: AnsweredTurn[] = [];
  for (const id of activation.turnIds) {
    const turn = state.turns[id];
    if (turn?.status !== 'completed') continue;
    turns[turn.ordinal] = {
      turnId: turn.id,
      ordinal: turn.ordinal,
      response: turn.response,
      usage: turn.usage,
      commit: turn.commit,
    };
  }
  return turns;
}

export function turnsOf(state: RunState, activation: ActivationState): TurnState[] {
  return activation.turnIds.flatMap((id) => state.turns[id] ?? []);
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
  const inputs = readInputs(state, activation);
  const earlier = state.steps[activation.stepId]?.activationIds.filter((id) => id < activation.id) ?? [];
  const before = earlier.flatMap((id) => state.activations[id] ?? []);
  const previous = before[before.length - 1];
  const sessionId = activation.sessionIds[activation.sessionIds.length - 1];
  const previousSession = previous?.sessionIds[previous.sessionIds.length - 1];
  const session = sessionId === undefined ? null : (state.sessions[sessionId] ?? null);
  const isFirst = step.cables.every((cable) => cable.back);
  return {
    stepId: activation.stepId,
    title: step.title,
    activationId: activation.id,
    attempt: activation.attempt,
    config: null,
    inputs,
    connected: step.connected,
    revisions: before.filter((a) => a.outcome === 'revised').length,
    history: history({ plan, state, step, activation, inputs }),
    projectContext: state.projectContext,
    request: isFirst ? state.instruction : null,
    requestAttachments: isFirst ? state.attachments : [],
    turns: answeredTurns(state, activation),
    promptsSent: turnsOf(state, activation).filter((turn) => turn.resendOf === null).length,
    commands: activation.commandIds.slice(activation.resumedAtCommand).flatMap((id) => {
      const command = state.commands[id];
      if (!command || command.status === 'running' || command.status === 'interrupted') return [];
      const { exitCode, output, outputPath, error } = command;
      return [{ commandId: id, outcome: command.status, exitCode, output, outputPath, error }];
    }),
    gates: activation.gateIds.flatMap((id) => {
      const gate = state.gates[id];
      return gate?.kind === 'approval' ? [{ title: gate.title, answer: gate.answer }] : [];
    }),
    sessionKey: session?.key ?? null,
    previousSessionKey: previousSession === undefined ? null : (state.sessions[previousSession]?.key ?? null),
    attachment: (path) => state.files[path] ?? null,
  };
}

function readInputs(state: RunState, activation: ActivationState): Record<string, ContextBundle[]> {
  const inputs: Record<string, ContextBundle[]> = {};
  for (const input of activation.inputs) {
    const bundle = state.activations[input.activationId]?.outputs[input.fromPort];
    if (bundle) inputs[input.port] = [...(inputs[input.port] ?? []), bundle];
  }
  return inputs;
}

interface HistorySource {
  plan: Plan;
  state: RunState;
  step: PlannedStep;
  activation: ActivationState;
  inputs: Record<string, ContextBundle[]>;
}

/**
 * Chain history: one entry, its `data_out`, for the newest activation of each step before this one; without those
 * that arrive on an input port, and without those that were worked in the session that is continued.
 */
function history({ plan, state, step, activation, inputs }: HistorySource): HistoryEntry[] {
  const bundles = Object.values(inputs).flat();
  const arrived = new Set(bundles.map((bundle) => bundle.metadata.activation_id));
  const sessionId = activation.sessionIds[activation.sessionIds.length - 1];
  const known = new Set(sessionId === undefined ? [] : state.sessions[sessionId]?.activationIds);
  return step.ancestors.flatMap((id) => {
    const source = lastActivation(state, id);
    const bundle = source?.outputs.data_out;
    if (!source || !bundle || arrived.has(source.id) || known.has(source.id)) return [];
    return [{ stepId: id, title: plan.steps.get(id)?.title ?? id, text: bundleText(bundle) }];
  });
}
