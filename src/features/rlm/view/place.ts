import { formatRoute } from '@renderer/client/route';

/** A question as an address names it: `question/RUN/ACTIVATION`, then maybe `iteration/N`. */
export interface Place {
  readonly runId: number;
  /** Null: the first question of the run. */
  readonly activationId: number | null;
  /** A row of its page, `iteration/2`. */
  readonly row: string | null;
}

const numberOf = (text: string | undefined): number | null => {
  const value = Number(text);
  return text !== undefined && Number.isInteger(value) && value > 0 ? value : null;
};

export function placeOf(path: readonly string[]): Place | null {
  const [view, run, activation, kind, id] = path;
  const runId = numberOf(run);
  if (view !== 'question' || runId === null) return null;
  const known = kind === 'iteration' && numberOf(id) !== null;
  return { runId, activationId: numberOf(activation), row: known ? `${kind}/${id}` : null };
}

export interface QuestionAt {
  readonly runId: number;
  readonly activationId: number;
}

export const pathOf = ({ runId, activationId }: QuestionAt, row: string | null = null): string[] => [
  ...['question', String(runId), String(activationId)],
  ...(row === null ? [] : row.split('/')),
];

export const hashOfQuestion = (
  at: QuestionAt,
  row: string | null = null,
  query: Record<string, string> = {},
): string => formatRoute({ path: pathOf(at, row), query });
