import type { RunEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import { budgetGate } from './gates';

/**
 * Null while the run may send a prompt; else the budget gate to open, nothing while it waits, or the cancel that its
 * answer asked for. Each "allow the same again" raises the limits by what they were at the start; a run that was stopped
 * so and is taken up again asks anew.
 */
export function budgetVerdict(
  moment: { state: RunState; now: number },
  activationId: number,
): RunEvent[] | null {
  const { state, now } = moment;
  const budget = state.definition.budget;
  if (budget === undefined) return null;
  const gates = Object.values(state.gates).filter((gate) => gate.kind === 'budget');
  const factor = 1 + gates.filter((gate) => gate.answer?.option === 'raise').length;
  const minutes = (now - state.startedAt) / 60_000;
  const over: [spent: string, limit: string][] = [];
  if (budget.tokens !== undefined && state.spend.tokens >= budget.tokens * factor) {
    over.push([`${state.spend.tokens} tokens`, `${budget.tokens * factor} tokens`]);
  }
  if (budget.cost_usd !== undefined && state.spend.cost_usd >= budget.cost_usd * factor) {
    over.push([`$${state.spend.cost_usd.toFixed(2)}`, `$${(budget.cost_usd * factor).toFixed(2)}`]);
  }
  if (budget.minutes !== undefined && minutes >= budget.minutes * factor) {
    over.push([`${Math.floor(minutes)} min`, `${budget.minutes * factor} min`]);
  }
  if (over.length === 0) return null;
  if (gates.some((gate) => gate.status === 'open')) return [];
  if (gates.some((gate) => gate.id > state.takenUpAtGate && gate.answer?.option === 'stop')) {
    return state.status === 'running' ? [{ type: 'run.cancel-requested', by: 'budget' }] : [];
  }
  const list = (side: 0 | 1) => over.map((pair) => pair[side]).join(', ');
  return [{ ...budgetGate(activationId, list(0), list(1)), gateId: state.last.gate + 1 }];
}
