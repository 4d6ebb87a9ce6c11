import type { TerminalRow, Workplace } from '../../contract/procedures';

/** A terminal in the grid. */
export interface GridCell {
  readonly key: string;
  readonly place: Workplace;
  readonly terminal: TerminalRow;
}

/**
 * The live terminals, of one run or of all, newest run first. One that ended while the grid was open stays
 * until it is closed, so that its last output can be read.
 */
export function gridCells(
  places: readonly Workplace[],
  runId: number | null,
  kept: ReadonlySet<string>,
): GridCell[] {
  return places
    .filter((place) => runId === null || place.runId === runId)
    .flatMap((place) =>
      place.terminals.map((terminal) => ({ key: cellKey(place, terminal), place, terminal })),
    )
    .filter(({ key, terminal }) => terminal.state === 'running' || kept.has(key));
}

const cellKey = (place: Workplace, terminal: TerminalRow): string => `${place.runId}/${terminal.name}`;

/** The cell before or after one; wraps around at the ends. */
export function nextCell(cells: readonly GridCell[], from: string | null, by: 1 | -1): GridCell | null {
  const at = cells.findIndex((cell) => cell.key === from);
  if (at < 0) return cells[by === 1 ? 0 : cells.length - 1] ?? null;
  return cells[(at + by + cells.length) % cells.length] ?? null;
}

/** Number of columns: as square as possible, and wide enough to be readable. */
export function columnsFor(count: number, width: number): number {
  const fit = Math.max(1, Math.floor(width / MIN_WIDTH));
  return Math.max(1, Math.min(fit, Math.ceil(Math.sqrt(count))));
}

const MIN_WIDTH = 380;

/** The width of the last cell, so that no gap is left beside it. */
export const lastSpan = (count: number, columns: number): number =>
  count % columns === 0 ? 1 : columns - (count % columns) + 1;
