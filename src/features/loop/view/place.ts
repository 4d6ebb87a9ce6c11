import { formatRoute } from '@renderer/client/route';

/** A loop as an address names it: `loop/RUN/ACTIVATION`, then maybe `attempt/N` or `gate/N`. */
export interface Place {
  readonly runId: number;
  /** Null: the first loop of the run. */
  readonly activationId: number | null;
  /** A row of its timeline, `attempt/2`. */
  readonly row: string | null;
}

const numberOf = (text: string | undefined): number | null => {
  const value = Number(text);
  return text !== undefined && Number.isInteger(value) && value > 0 ? value : null;
};

export function placeOf(path: readonly string[]): Place | null {
  const [view, run, activation, kind, id] = path;
  const runId = numberOf(run);
  if (view !== 'loop' || runId === null) return null;
  const known = (kind === 'attempt' || kind === 'gate') && numberOf(id) !== null;
  return { runId, activationId: numberOf(activation), row: known ? `${kind}/${id}` : null };
}

export interface LoopAt {
  readonly runId: number;
  readonly activationId: number;
}

export const pathOf = ({ runId, activationId }: LoopAt, row: string | null = null): string[] => [
  ...['loop', String(runId), String(activationId)],
  ...(row === null ? [] : row.split('/')),
];

export const hashOfLoop = (
  at: LoopAt,
  row: string | null = null,
  query: Record<string, string> = {},
): string => formatRoute({ path: pathOf(at, row), query });

export const attemptOfRow = (row: string | null): number | null =>
  row?.startsWith('attempt/') ? Number(row.slice('attempt/'.length)) : null;
