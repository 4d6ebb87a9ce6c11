import { summaryLines } from '@areas/feed/contract/summary';
import { formatUpdate, type Update } from '@areas/feed/contract/update';
import type { RunEvent } from '@contract/run/events';
import type { ActivationView, ObservedTurn } from './module';

/** Prefixes for turns that did not complete; loops use them for their attempts. */
const CUT: Partial<Record<ObservedTurn['ended'], string>> = {
  interrupted: 'The attempt was interrupted.',
  cancelled: 'The attempt was stopped.',
};

/** The update that a turn of a chain posts at its end, whatever its outcome; its story is the step. */
export function turnUpdate(
  view: Pick<ActivationView<unknown>, 'stepId' | 'title' | 'activationId'>,
  turn: ObservedTurn,
): RunEvent {
  const update: Update = {
    iteration: turn.ordinal + 1,
    of: turn.of,
    retry: turn.retry,
    story: { id: view.stepId, title: view.title },
    storySource: 'step',
    result: resultOf(turn),
    commit: turn.commit,
    summary: summaryOf(turn),
  };
  return {
    type: 'update.posted',
    activationId: view.activationId,
    turnId: turn.turnId,
    stepId: view.stepId,
    update,
    text: formatUpdate(update),
  };
}

/**
 * A provider's limit and an expired login are not failures: the turn waits for the reset, or for the
 * operator.
 */
function resultOf({ completed, ended }: ObservedTurn): Update['result'] {
  if (completed) return 'completed';
  return ended === 'limit' || ended === 'login' ? 'blocked' : 'failed';
}

function summaryOf({ completed, ended, response, errorText }: ObservedTurn): string[] {
  const cut = CUT[ended];
  const lines = summaryLines(completed || cut !== undefined ? response : (errorText ?? response));
  if (cut === undefined) return lines.length > 0 ? lines : ['(no text)'];
  const why = ended === 'interrupted' ? summaryLines(errorText ?? '') : [];
  const [first, ...rest] = lines.length > 0 ? lines : why;
  return [first === undefined ? cut : `${cut} ${first}`, ...rest];
}
