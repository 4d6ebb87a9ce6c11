import { formatRoute } from '@renderer/client/route';

/** A step of a run. */
export interface RunAt {
  readonly runId: number;
  readonly activationId: number;
}

/** A step of a run in an address: `VIEW/RUN/ACTIVATION`, optionally followed by `KIND/N`. */
interface RunPlace {
  readonly runId: number;
  /** Null: the first such step of the run. */
  readonly activationId: number | null;
  /** A row of its page, such as `attempt/2`. */
  readonly row: string | null;
}

const numberOf = (text: string | undefined): number | null => {
  const value = Number(text);
  return text !== undefined && Number.isInteger(value) && value > 0 ? value : null;
};

/** Parses and builds the addresses of a view whose pages have rows of these kinds. */
export function runPlaces(view: string, kinds: readonly string[]) {
  const pathOf = ({ runId, activationId }: RunAt, row: string | null = null): string[] => [
    ...[view, String(runId), String(activationId)],
    ...(row === null ? [] : row.split('/')),
  ];
  return {
    pathOf,
    placeOf(path: readonly string[]): RunPlace | null {
      const [named, run, activation, kind, id] = path;
      const runId = numberOf(run);
      if (named !== view || runId === null) return null;
      const known = kind !== undefined && kinds.includes(kind) && numberOf(id) !== null;
      return { runId, activationId: numberOf(activation), row: known ? `${kind}/${id}` : null };
    },
    hashAt: (at: RunAt, row: string | null = null, query: Record<string, string> = {}): string =>
      formatRoute({ path: pathOf(at, row), query }),
  };
}
