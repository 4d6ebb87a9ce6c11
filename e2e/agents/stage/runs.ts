import { setTimeout as sleep } from 'node:timers/promises';
import type { GateAnswer } from '@contract/gate/gate';
import type { GateRow } from '@contract/gate/procedures';
import type { RunState } from '@contract/run/state';
import type { Stage } from './stage';

const PATIENCE_MS = 60_000;

/** The first thing that `look` finds. */
export async function until<T>(what: string, look: () => Promise<T | null | undefined | false>): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(50)) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`waited in vain for ${what}`);
}

export async function stateOf({ core }: Stage, runId: number): Promise<RunState> {
  return (await core.call('run.get', { runId })).state;
}

/** The next open gate; a run that ends instead is an error that says why. */
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
    const open = Object.values(state.gates).filter((gate) => gate.status === 'open');
    if (open.length > 0) throw new Error(`the run waits instead: ${told(state)}`);
    return state.status === 'finished' ? state : null;
  });
}

/** What a reader of a failed test wants to know of a run. */
export function told(state: RunState): string {
  const { status, outcome, reason } = state;
  const parts = Object.values(state.activations).map((one) => [one.stepId, one.outcome, one.error?.message]);
  const turns = Object.values(state.turns).map((turn) => [turn.status, turn.stopReason, turn.error?.message]);
  const gates = Object.values(state.gates).map((gate) => [gate.kind, gate.status, gate.title, gate.evidence]);
  const sessions = Object.values(state.sessions).map((one) => [one.status, one.notice, one.error?.message]);
  return JSON.stringify({ status, outcome, reason, parts, sessions, turns, gates });
}
