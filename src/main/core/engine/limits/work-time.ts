import { holdsUp } from '@areas/gates/contract/gate';
import type { CommandState, GateState, RunState, TurnState } from '@contract/run/state';

export type Span = readonly [from: number, to: number];

/**
 * How long a run has worked until a time: turns and commands, parallel ones counted once. A turn that waits
 * for the operator's answer does not work.
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

/** When turns and commands worked. A turn does not work while one of its gates is open. */
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

/** Until the last sign of work: nothing works while the machine is off. */
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
