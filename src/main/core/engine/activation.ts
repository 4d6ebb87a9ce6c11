import type { RunEvent } from '@contract/run/events';
import type { ActivationState, TurnState } from '@contract/run/state';
import type { CommandDecision, GateDecision, StepDecision, TurnDecision } from '../step/module';
import { afterBrokenTurn, afterInterruptedCommand } from './broken';
import { dispatch } from './dispatch';
import { finish } from './finish';
import { isModuleGate } from './gates';
import type { Moment } from './moment';
import { needWorkspace, takeSession } from './need';
import { turnsOf, viewActivation } from './view';

/** What one running activation does next; nothing while something of it is in flight or waits. */
export function advanceActivation(moment: Moment, activation: ActivationState): RunEvent[] {
  const { state, plan } = moment;
  const last = state.turns[activation.turnIds.at(-1) ?? 0];
  if (last?.status === 'in_flight') return [];
  const lastCommand = state.commands[activation.commandIds.at(-1) ?? 0];
  if (lastCommand?.status === 'running') return [];
  const step = plan.steps.get(activation.stepId);
  if (step === undefined) return [];
  const turns = turnsOf(state, activation);
  if (last !== undefined && turns.length > activation.resumedAtTurn && last.status !== 'completed') {
    return afterBrokenTurn(moment, activation, last);
  }
  if (lastCommand?.status === 'interrupted' && activation.commandIds.length > activation.resumedAtCommand) {
    const verdict = afterInterruptedCommand(moment, activation, lastCommand);
    if (verdict !== 'again') return verdict;
  }
  for (const id of activation.gateIds) {
    const gate = state.gates[id];
    if (gate?.status === 'open' && isModuleGate(gate)) return [];
  }
  const decision = step.bound.decide(viewActivation(plan, state, activation));
  return carryOut(moment, activation, { decision, resendOf: unansweredOf(turns, activation) });
}

/** The turn that failed before the operator resumed the run, if the next one stands in for it. */
function unansweredOf(turns: readonly TurnState[], activation: ActivationState): TurnState | null {
  const last = turns[turns.length - 1];
  return last !== undefined && turns.length === activation.resumedAtTurn && last.status !== 'completed'
    ? last
    : null;
}

interface Wanted {
  decision: StepDecision;
  resendOf: TurnState | null;
}

function carryOut(moment: Moment, activation: ActivationState, wanted: Wanted): RunEvent[] {
  const { decision } = wanted;
  switch (decision.kind) {
    case 'finish':
      return finish(moment, activation, decision);
    case 'gate':
      return openGate(moment, activation, decision);
    case 'command':
      return needWorkspace(moment, activation) ?? startCommand(moment, activation, decision);
    case 'turn':
      return sendTurn(moment, activation, { ...wanted, decision });
  }
}

function openGate({ state }: Moment, activation: ActivationState, decision: GateDecision): RunEvent[] {
  const about = { turnId: null, sessionId: null, commandId: null, request: null, why: null };
  return [
    {
      type: 'gate.opened',
      ...about,
      gateId: state.last.gate + 1,
      kind: decision.gate,
      activationId: activation.id,
      title: decision.title,
      message: decision.message,
      evidence: decision.evidence,
      options: [...decision.options],
    },
  ];
}

function startCommand({ state }: Moment, activation: ActivationState, decision: CommandDecision): RunEvent[] {
  const { script, terminal, env, timeoutSeconds } = decision;
  const commandId = state.last.command + 1;
  return [
    {
      type: 'command.started',
      commandId,
      activationId: activation.id,
      script,
      terminal,
      env: { ...env },
      timeoutSeconds,
    },
  ];
}

function sendTurn(
  moment: Moment,
  activation: ActivationState,
  wanted: Wanted & { decision: TurnDecision },
): RunEvent[] {
  const { state } = moment;
  const { decision } = wanted;
  const place = needWorkspace(moment, activation);
  if (place !== null) return place;
  const sessionId = activation.sessionIds[activation.sessionIds.length - 1];
  const session = sessionId === undefined ? undefined : state.sessions[sessionId];
  if (session === undefined) return takeSession(moment, activation, decision);
  const sent = dispatch(moment, session, {
    activation,
    ordinal: decision.ordinal,
    kind: decision.turn,
    prompt: decision.prompt,
    attachments: decision.attachments,
    of: decision.of,
    resendOf: wanted.resendOf?.id ?? null,
  });
  return sent.some((event) => event.type === 'turn.dispatched') ? [...sent, ...decision.progress] : sent;
}
