import type { ActivationState, GateState, RunState, TurnState } from '@contract/run/state';
import type { ListRow } from '@renderer/ui/lists/list';
import type { StackRow } from '@renderer/ui/lists/stack';
import type { BlockState, RlmState } from '../contract/state';
import { iterationTurns, type QuestionRow } from '../contract/summary';

export type QuestionListRow = ListRow &
  (
    | { readonly kind: 'heading'; readonly text: string }
    | { readonly kind: 'question'; readonly question: QuestionRow }
  );

export const keyOfQuestion = ({ runId, activationId }: Pick<QuestionRow, 'runId' | 'activationId'>): string =>
  `${runId}/${activationId}`;

const isActive = ({ live, openGates, phase }: QuestionRow): boolean =>
  live || openGates > 0 || phase === 'cancelling';

/** Questions newest first, ended ones at the bottom. */
export function questionListRows(questions: readonly QuestionRow[], search: string): QuestionListRow[] {
  const wanted = search.trim().toLowerCase();
  const found = questions.filter(({ question, projectName }) =>
    [question, projectName].some((text) => text.toLowerCase().includes(wanted)),
  );
  const rows = (of: readonly QuestionRow[]): QuestionListRow[] =>
    of.map((question) => ({ key: keyOfQuestion(question), height: 52, kind: 'question', question }));
  const ended = found.filter((question) => !isActive(question));
  const heading: QuestionListRow = {
    key: 'ended',
    height: 28,
    heading: true,
    kind: 'heading',
    text: 'Ended',
  };
  return [...rows(found.filter(isActive)), ...(ended.length > 0 ? [heading] : []), ...rows(ended)];
}

/** The question of an address: of its activation, else the first of its run. */
export const questionAt = (
  questions: readonly QuestionRow[],
  at: { readonly runId: number; readonly activationId: number | null } | null,
): QuestionRow | null =>
  questions.find(
    (one) => one.runId === at?.runId && (at.activationId === null || one.activationId === at.activationId),
  ) ?? null;

export type PageRow = StackRow &
  (
    | { readonly kind: 'documents'; readonly rlm: RlmState }
    | {
        readonly kind: 'iteration';
        /** From 1. */
        readonly number: number;
        /** It asks for the best answer at the limit. */
        readonly isLast: boolean;
        readonly turn: TurnState;
        readonly blocks: readonly BlockState[];
        readonly gates: readonly GateState[];
      }
    | { readonly kind: 'gate'; readonly gate: GateState }
    | { readonly kind: 'end'; readonly activation: ActivationState }
  );

/** The documents, the iterations with their turns' gates, other gates, and the answer. */
export function pageRows(state: RunState, activation: ActivationState, of: number): PageRow[] {
  const rlm = state.rlm[activation.id];
  const gates = Object.values(state.gates).filter((gate) => gate.activationId === activation.id);
  const turns = iterationTurns(state, activation);
  const ownTurnIds = new Set(turns.map(({ id }) => id));
  const iterations = turns.map((turn): PageRow => {
    const number = turn.ordinal + 1;
    return {
      key: `iteration/${number}`,
      guess: 120,
      kind: 'iteration',
      number,
      isLast: number > of,
      turn,
      blocks: rlm?.blocks.filter(({ turnId }) => turnId === turn.id) ?? [],
      gates: gates.filter(({ turnId }) => turnId === turn.id),
    };
  });
  const others = gates
    .filter(({ turnId }) => turnId === null || !ownTurnIds.has(turnId))
    .map((gate): PageRow => ({ key: `gate/${gate.id}`, guess: 180, kind: 'gate', gate }));
  return [
    ...(rlm === undefined ? [] : [{ key: 'documents', guess: 44, kind: 'documents', rlm } as const]),
    ...iterations,
    ...others,
    ...(activation.status === 'finished'
      ? [{ key: 'end', guess: 120, kind: 'end', activation } as const]
      : []),
  ];
}

/** When its last block ended, with its sub-calls; without a block, its turn. Null while it goes on. */
export function endOfIteration({ turn, blocks }: Extract<PageRow, { kind: 'iteration' }>): number | null {
  const last = blocks.at(-1);
  return last === undefined ? turn.finishedAt : last.endedAt;
}

export const isStop = ({ kind }: PageRow): boolean => kind === 'iteration' || kind === 'gate';

/**
 * Expanded by default: the running iteration; none once the question is answered, so that the answer is
 * visible.
 */
export function openByItself(rows: readonly PageRow[]): string | null {
  const last = rows.findLast(({ kind }) => kind === 'iteration');
  return last === undefined || rows.at(-1)?.kind === 'end' ? null : last.key;
}
