import type { StepDefinition } from '@areas/workflows/contract/definition';
import type { LocalId } from '@contract/ids';
import { featureOnlyChecks } from '@contract/run/features/feature-answers';
import { stepDefinition, stepTitle } from '@contract/run/scope/path';
import type {
  ActivationState,
  CommandState,
  GateState,
  RunState,
  TimerState,
  TurnState,
} from '@contract/run/state';
import { isLimitTimer, waitsForLimit } from '@contract/run/status';
import type { StackRow } from '@renderer/ui/lists/stack';

interface Within {
  readonly activationId: LocalId;
}

/** The timeline of a run from top to bottom: activation by activation, each in the order of time. */
export type TimelineRow = StackRow &
  (
    | { readonly kind: 'start' }
    | { readonly kind: 'activation'; readonly activation: ActivationState; readonly step: StepDefinition }
    | ({ readonly kind: 'turn'; readonly turn: TurnState; readonly gates: readonly GateState[] } & Within)
    | ({ readonly kind: 'command'; readonly command: CommandState } & Within)
    | { readonly kind: 'gate'; readonly gate: GateState; readonly activationId: LocalId | null }
    | ({ readonly kind: 'timers'; readonly timers: readonly TimerState[] } & Within)
    | { readonly kind: 'result'; readonly activation: ActivationState }
    | { readonly kind: 'finish' }
  );

const GUESS = {
  start: 90,
  activation: 52,
  turn: 220,
  command: 120,
  gate: 200,
  timers: 36,
  result: 90,
  finish: 60,
};

type Timed = { readonly at: number; readonly row: TimelineRow };

export function timelineRows(state: RunState): TimelineRow[] {
  const rows: TimelineRow[] = [{ kind: 'start', key: 'start', guess: GUESS.start }];
  for (const activation of byId(state.activations)) {
    const step = shownStep(state, activation.stepId);
    rows.push({
      kind: 'activation',
      key: `activation/${activation.id}`,
      guess: GUESS.activation,
      activation,
      step,
    });
    rows.push(...within(state, activation));
    if (activation.status === 'finished') {
      rows.push({ kind: 'result', key: `result/${activation.id}`, guess: GUESS.result, activation });
    }
  }
  for (const gate of byId(state.gates)) {
    if (gate.activationId === null) rows.push(gateRow(gate));
  }
  if (state.status === 'finished') rows.push({ kind: 'finish', key: 'finish', guess: GUESS.finish });
  return rows;
}

/** The displayed name of a step: a step in a scope by its whole path. */
function shownStep(state: RunState, key: string): StepDefinition {
  const step = stepDefinition(state, key) ?? { id: key, type: '', config: {} };
  return { ...step, id: key, title: stepTitle(state, key) };
}

function within(state: RunState, activation: ActivationState): TimelineRow[] {
  const activationId = activation.id;
  const gates = pick(state.gates, activation.gateIds);
  const operatorPrompts = Object.values(state.prompts)
    .map((prompt) => state.turns[prompt.turnId ?? 0])
    .filter((turn) => turn?.activationId === activationId);
  const turns = [
    ...pick(state.turns, activation.turnIds),
    ...operatorPrompts.filter((turn) => turn !== undefined),
  ];
  const known = new Set(turns.map((turn) => turn.id));
  const rows: Timed[] = [
    ...turns.map((turn) => ({
      at: turn.startedAt,
      row: {
        kind: 'turn' as const,
        key: `turn/${turn.id}`,
        guess: GUESS.turn,
        turn,
        gates: gates.filter((gate) => gate.turnId === turn.id),
        activationId,
      },
    })),
    ...pick(state.commands, activation.commandIds).map((command) => ({
      at: command.startedAt,
      row: {
        kind: 'command' as const,
        key: `command/${command.id}`,
        guess: GUESS.command,
        command,
        activationId,
      },
    })),
    ...gates
      .filter((gate) => gate.turnId === null || !known.has(gate.turnId))
      .map((gate) => ({ at: gate.openedAt, row: gateRow(gate) })),
  ];
  rows.sort((a, b) => a.at - b.at);
  const timers = activation.status === 'running' ? pick(state.timers, activation.timerIds) : [];
  const open = timers.filter((timer) => actsByItself(state, timer));
  return [...rows.map((timed) => timed.row), ...(open.length === 0 ? [] : [timersRow(open, activationId)])];
}

/** A timer that only watches an agent does nothing as long as that works. */
function actsByItself(state: RunState, timer: TimerState): boolean {
  if (timer.fired || timer.watches !== null || featureOnlyChecks(state, timer)) return false;
  return !isLimitTimer(timer) || waitsForLimit(state, timer.id);
}

/** All pending timers in a step, the next one first. */
const timersRow = (open: readonly TimerState[], activationId: LocalId): TimelineRow => ({
  kind: 'timers',
  key: `timers/${activationId}`,
  guess: GUESS.timers,
  timers: [...open].sort((a, b) => a.dueAt - b.dueAt),
  activationId,
});

const gateRow = (gate: GateState): TimelineRow => ({
  kind: 'gate',
  key: `gate/${gate.id}`,
  guess: GUESS.gate,
  gate,
  activationId: gate.activationId,
});

function pick<T>(all: Readonly<Record<LocalId, T>>, ids: readonly LocalId[]): T[] {
  return ids.map((id) => all[id]).filter((entry) => entry !== undefined);
}

const byId = <T extends { readonly id: LocalId }>(all: Readonly<Record<LocalId, T>>): T[] =>
  Object.values(all).sort((a, b) => a.id - b.id);

/** The row for an address: a gate that belongs to a turn is in that turn's row. */
export function rowFor(rows: readonly TimelineRow[], kind: string, id: string): string | null {
  const key = `${kind}/${id}`;
  if (rows.some((row) => row.key === key)) return key;
  if (kind === 'gate') {
    return (
      rows.find((row) => row.kind === 'turn' && row.gates.some((gate) => String(gate.id) === id))?.key ?? null
    );
  }
  if (kind === 'step') {
    return rows.findLast((row) => row.kind === 'activation' && row.step.id === id)?.key ?? null;
  }
  return null;
}

/** Rows at which j and k stop. */
export const isStop = (row: TimelineRow): boolean =>
  ['turn', 'command', 'gate', 'activation'].includes(row.kind);
