import type { RunEvent } from '@contract/run/events';
import { summaryLines } from '@contract/update/summary';
import { formatUpdate, type Update } from '@contract/update/update';
import type { ActivationView, ObservedTurn } from './module';

/** The update that a turn of a chain posts when it has ended; its story is the step. */
export function turnUpdate(
  view: Pick<ActivationView<unknown>, 'stepId' | 'title' | 'activationId'>,
  turn: ObservedTurn,
): RunEvent {
  const lines = summaryLines(turn.completed ? turn.response : (turn.errorText ?? turn.response));
  const update: Update = {
    iteration: turn.ordinal + 1,
    of: turn.of,
    retry: 0,
    story: { id: view.stepId, title: view.title },
    storySource: 'step',
    result: turn.completed ? 'completed' : 'failed',
    commit: turn.commit,
    summary: lines.length > 0 ? lines : ['(no text)'],
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
