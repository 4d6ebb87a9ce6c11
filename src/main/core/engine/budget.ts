import type { RunEvent } from '@contract/run/events';
import type { GateState, RunState } from '@contract/run/state';
import { budgetGate } from './gates';
import { workedMs } from './worked';

/** One measure of a budget. */
interface Measure {
  readonly budget: number | undefined;
  readonly spent: number;
  /** What was spent when a raise was answered. */
  readonly spentAt: (raise: GateState) => number;
  readonly words: (much: number, unit: 'used' | 'limit') => string;
}

/**
 * Null while the run may send a prompt; else the budget gate to open, nothing while it waits, or the cancel that its
 * answer asked for. A run that was stopped so and is taken up again asks anew.
 */
export function budgetVerdict(
  moment: { state: RunState; now: number },
  activationId: number,
): RunEvent[] | null {
  const { state } = moment;
  if (state.definition.budget === undefined) return null;
  const gates = Object.values(state.gates).filter((gate) => gate.kind === 'budget');
  const raises = gates.filter((gate) => gate.answer?.option === 'raise');
  const over = measures(moment).flatMap((measure): [spent: string, limit: string][] => {
    const limit = limitOf(measure, raises);
    if (limit === null || measure.spent < limit) return [];
    return [[measure.words(measure.spent, 'used'), measure.words(limit, 'limit')]];
  });
  if (over.length === 0) return null;
  if (gates.some((gate) => gate.status === 'open')) return [];
  if (gates.some((gate) => gate.id > state.takenUpAtGate && gate.answer?.option === 'stop')) {
    return state.status === 'running' ? [{ type: 'run.cancel-requested', by: 'budget' }] : [];
  }
  const list = (side: 0 | 1) => over.map((pair) => pair[side]).join(', ');
  return [{ ...budgetGate(activationId, list(0), list(1)), gateId: state.last.gate + 1 }];
}

/** Each "allow the same again" gives the budget once more, beyond what was used by then. */
function limitOf({ budget, spentAt }: Measure, raises: readonly GateState[]): number | null {
  if (budget === undefined) return null;
  return raises.reduce((limit, raise) => Math.max(limit, spentAt(raise)) + budget, budget);
}

function measures({ state, now }: { state: RunState; now: number }): Measure[] {
  const { tokens, cost_usd, minutes } = state.definition.budget ?? {};
  const workedBy = (until: number) => workedMs(state, until) / 60_000;
  return [
    {
      budget: tokens,
      spent: state.spend.tokens,
      spentAt: ({ spent }) => spent?.tokens ?? 0,
      words: (much) => `${much} tokens`,
    },
    {
      budget: cost_usd,
      spent: state.spend.cost_usd,
      spentAt: ({ spent }) => spent?.cost_usd ?? 0,
      words: (much) => `$${much.toFixed(2)}`,
    },
    {
      budget: minutes,
      spent: minutes === undefined ? 0 : workedBy(now),
      spentAt: ({ closedAt }) => workedBy(closedAt ?? now),
      words: (much, unit) => (unit === 'used' ? `${Math.floor(much)} min of work` : `${toTenth(much)} min`),
    },
  ];
}

const toTenth = (much: number): number => Math.floor(much * 10) / 10;
