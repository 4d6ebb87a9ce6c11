import { holdsUp } from '@contract/gate/gate';
import type { CommandState, GateState, RunState, TurnState } from '@contract/run/state';

export type Span = readonly [from: number, to: number];

/**
 * How long something of a run was at work until then: a turn or a command, those beside each other counted once. A turn
 * does not work while it waits for the answer of the operator.
 */
export const workedMs = (state: RunState, until: number): number =>
  covered(
    workSpans(
      { turns: Object.values(state.turns), commands: Object.values(state.commands) },
      Object.values(state.gates),
      until,
    ),
  );

interface Worked {
  readonly turns: readonly TurnState[];
  readonly commands: readonly CommandState[];
}

/** When turns and commands were at work. A turn does not work while one of the gates is open in it. */
export function workSpans({ turns, commands }: Worked, gates: readonly GateState[], until: number): Span[] {
  const waits = new Map<number, Span[]>();
  for (const { turnId, kind, openedAt, closedAt } of gates) {
    if (turnId === null || !holdsUp(kind)) continue;
    waits.set(turnId, [...(waits.get(turnId) ?? []), [openedAt, closedAt ?? until]]);
  }
  return [
    ...turns.flatMap((turn) => without(spanOf(turn, until), waits.get(turn.id) ?? [])),
    ...commands.map((command) => spanOf(command, until)),
  ];
}

/** Until it was last known to continue: nothing works while the machine is off. */
const spanOf = (
  { startedAt, finishedAt, cutOffAfter }: Pick<TurnState, 'startedAt' | 'finishedAt' | 'cutOffAfter'>,
  until: number,
): Span => [startedAt, Math.min(cutOffAfter ?? finishedAt ?? until, until)];

export function without([from, to]: Span, gaps: readonly Span[]): Span[] {
  const pieces: Span[] = [];
  let at = from;
  for (const [begin, end] of gaps) {
    pieces.push([at, Math.min(begin, to)]);
    at = Math.max(at, end);
  }
  return [...pieces, [at, to]];
}

export function covered(spans: readonly Span[]): number {
  let sum = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const [from, to] of spans.toSorted((one, other) => one[0] - other[0])) {
    if (to <= Math.max(from, reached)) continue;
    sum += to - Math.max(from, reached);
    reached = to;
  }
  return sum;
}
