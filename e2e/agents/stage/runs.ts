import type { GateAnswer } from '@areas/gates/contract/gate';
import type { GateRow } from '@areas/gates/contract/procedures';
import type { RunState } from '@contract/run/state';
import type { LoggedRequest } from '../../fixtures/model-server/request-log';
import type { Stage } from './stage';
import { until } from './until';

export async function stateOf({ core }: Stage, runId: number): Promise<RunState> {
  return (await core.call('run.get', { runId })).state;
}

/** The next open gate; throws with the reason if the run ends or asks something else instead. */
export function openGate(stage: Stage, runId: number, kind: GateRow['kind']): Promise<GateRow> {
  return until(`a gate of kind ${kind}`, async () => {
    const gates = await stage.core.call('gate.list', {});
    const gate = gates.find((one) => one.runId === runId);
    if (gate?.kind === kind) return gate;
    const state = await stateOf(stage, runId);
    if (gate || state.status === 'finished') throw new Error(`no gate of kind ${kind}, but ${told(state)}`);
    return null;
  });
}

export async function answer(stage: Stage, gate: GateRow, answered: GateAnswer): Promise<void> {
  await stage.core.call('gate.resolve', { runId: gate.runId, gateId: gate.gateId, answer: answered });
}

export function finished(stage: Stage, runId: number): Promise<RunState> {
  return until(`the end of run ${runId}`, async () => {
    const state = await stateOf(stage, runId);
    const asked = Object.values(state.gates).filter((gate) => gate.status === 'open');
    if (asked.length > 0) throw new Error(`the run waits instead: ${told(state)}`);
    return state.status === 'finished' ? state : null;
  });
}

/**
 * The agent's request to its model for the prompt with these words; its additional requests have no tools.
 */
export function asked({ models }: Stage, words: string): LoggedRequest[] {
  return models.requests.filter(
    ({ prompts, tools }) => tools.length > 0 && prompts.at(-1)?.includes(words) === true,
  );
}

/** The facts of a run that help with a failed test. */
export function told(state: RunState): string {
  const { status, outcome, reason } = state;
  const steps = Object.values(state.activations).map((one) => [one.stepId, one.outcome, one.error?.message]);
  const turns = Object.values(state.turns).map((turn) => [turn.status, turn.stopReason, turn.error?.message]);
  const gates = Object.values(state.gates).map((gate) => [gate.kind, gate.status, gate.title, gate.evidence]);
  const sessions = Object.values(state.sessions).map((one) => [one.status, one.notice, one.error?.message]);
  return JSON.stringify({ status, outcome, reason, steps, sessions, turns, gates });
}
