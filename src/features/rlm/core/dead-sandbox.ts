import { type AppError, appError } from '@contract/errors';
import type { BlockState, RlmState } from '../contract/state';

type Lost = Extract<NonNullable<BlockState['end']>, { kind: 'lost' }>;

/** Blocks in a row whose sandbox died, after which the question ends: each one costs an iteration. */
export const MOST_DEAD = 3;

/** The interpreter or its process died; limits and interrupts that end a sandbox do not count. */
export const isDeath = (reason: Lost['reason']): boolean =>
  reason === 'crashed' || reason === 'misbehaved' || reason === 'host';

const deathOf = ({ end }: BlockState): Lost | null =>
  end?.kind === 'lost' && isDeath(end.reason) ? end : null;

/** Number of the latest ended blocks, one after the other, in which the sandbox died. */
export function deathsInARow({ blocks, deathsFrom }: Pick<RlmState, 'blocks' | 'deathsFrom'>): number {
  const ended = blocks.slice(deathsFrom).filter(({ end }) => end !== null);
  return ended.length - 1 - ended.findLastIndex((block) => deathOf(block) === null);
}

const WORDS: Readonly<Record<string, string>> = {
  crashed: 'Python stopped working',
  misbehaved: 'its messages could not be understood',
  host: 'its process ended',
};

const wordsOf = ({ reason, detail }: Lost): string =>
  `${WORDS[reason] ?? reason}${detail === undefined ? '' : `: ${detail}`}`;

/** Why the question cannot go on; null if it can. */
export function deathError(state: RlmState): AppError | null {
  const last = state.blocks.at(-1);
  const death = last === undefined ? null : deathOf(last);
  if (death === null || deathsInARow(state) < MOST_DEAD) return null;
  return appError(
    'step.failed',
    `The sandbox died in ${MOST_DEAD} blocks in a row, the last time because ${wordsOf(death)}.`,
    { mend: 'Resume the run to try again with a new sandbox, or ask with another model.' },
  );
}

/** For the operator, beside the answer. */
export function deathWarnings({ blocks }: RlmState): string[] {
  const deaths = blocks.flatMap((block) => deathOf(block) ?? []);
  const [last] = deaths.slice(-1);
  if (last === undefined) return [];
  const times = deaths.length === 1 ? 'once' : `${deaths.length} times`;
  return [`The sandbox died ${times} in the middle of a block and was replaced (${wordsOf(last)}).`];
}
