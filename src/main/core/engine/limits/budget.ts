import type { RunEvent } from '@contract/run/events';
import type { GateState, RunState } from '@contract/run/state';
import { MINUTE_MS } from '@contract/time-units';
import { budgetGate, budgetNearGate } from '../gates/gates';
import { workedMs } from './work-time';

/** One measure of a budget. */
interface Measure {
  readonly name: string;
  readonly budget: number | undefined;
  readonly spent: number;
  /** The amount spent when a raise was answered. */
  readonly spentAt: (raise: GateState) => number;
  readonly words: (much: number, unit: 'used' | 'limit') => string;
}

/**
 * Null if the run may send a prompt; else the budget gate to open, nothing while it is open, or the
 * cancellation that the answer chose. A run that was stopped this way asks again after being resumed.
 */
export function budgetVerdict(
  moment: { state: RunState; now: number },
  activationId: number,
): RunEvent[] | null {
  const { state } = moment;
  if (state.definition.budget === undefined) return null;
  const gates = Object.values(state.gates).filter((gate) => gate.kind === 'budget');
  const raises = raisesOf(state);
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

/** The share of a budget at which the operator is notified. */
const NEAR = 0.8;

/**
 * Notifies the operator once per limit that most of it is used, and withdraws the notice when the limit is
 * reached or raised.
 */
export function budgetNear(moment: { state: RunState; now: number }): RunEvent[] {
  const { state } = moment;
  if (state.definition.budget === undefined) return [];
  const nearGates = Object.values(state.gates).filter((gate) => gate.kind === 'budget_near');
  const raises = raisesOf(state);
  const near = measures(moment).flatMap((measure) => {
    const limit = limitOf(measure, raises);
    if (limit === null || measure.spent < limit * NEAR || measure.spent >= limit) return [];
    return [{ about: `${measure.name} budget of ${limit}`, measure, limit }];
  });
  const over = nearGates.find(
    ({ status, about: name }) => status === 'open' && near.every(({ about }) => about !== name),
  );
  if (over !== undefined)
    return [{ type: 'gate.withdrawn', gateId: over.id, reason: 'The budget was raised or is used up.' }];
  const next = near.find(({ about }) => nearGates.every((gate) => gate.about !== about));
  if (next === undefined) return [];
  const { about, measure, limit } = next;
  const words = { spent: measure.words(measure.spent, 'used'), limit: measure.words(limit, 'limit') };
  return [{ ...budgetNearGate(about, words), gateId: state.last.gate + 1 }];
}

const raisesOf = ({ gates }: RunState): GateState[] =>
  Object.values(gates).filter(
    ({ kind, answer }) => (kind === 'budget' || kind === 'budget_near') && answer?.option === 'raise',
  );

/** Each "allow the same again" adds the budget once more to the amount used by then. */
function limitOf({ budget, spentAt }: Measure, raises: readonly GateState[]): number | null {
  if (budget === undefined) return null;
  return raises.reduce((limit, raise) => Math.max(limit, spentAt(raise)) + budget, budget);
}

function measures({ state, now }: { state: RunState; now: number }): Measure[] {
  const { tokens, cost_usd, minutes } = state.definition.budget ?? {};
  const workedBy = (until: number) => workedMs(state, until) / MINUTE_MS;
  return [
    {
      name: 'token',
      budget: tokens,
      spent: state.spend.tokens,
      spentAt: ({ spent }) => spent?.tokens ?? 0,
      words: (much) => `${much.toLocaleString('en-US')} tokens`,
    },
    {
      name: 'cost',
      budget: cost_usd,
      spent: state.spend.cost_usd,
      spentAt: ({ spent }) => spent?.cost_usd ?? 0,
      words: (much) => `$${much.toFixed(2)}`,
    },
    {
      name: 'time',
      budget: minutes,
      spent: minutes === undefined ? 0 : workedBy(now),
      spentAt: ({ closedAt }) => workedBy(closedAt ?? now),
      words: (much, unit) => (unit === 'used' ? `${Math.floor(much)} min of work` : `${toTenth(much)} min`),
    },
  ];
}

const toTenth = (much: number): number => Math.floor(much * 10) / 10;
