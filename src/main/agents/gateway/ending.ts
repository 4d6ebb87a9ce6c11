import { appError } from '@contract/errors';
import type { FinishReason } from 'ai';
import type { TurnResult } from '../../core/ports/ports';
import type { Endpoint } from './endpoint';

type Ending = Pick<TurnResult, 'outcome' | 'stopReason' | 'error'>;

export interface Finish {
  readonly unified: FinishReason;
  /** The provider's own word. */
  readonly raw: string | null;
}

/** The outcome of a turn that the model itself ended. */
export function endingOf(finish: Finish, response: string, { profile }: Endpoint): Ending {
  const stopReason = finish.raw ?? finish.unified;
  const failed = (message: string, mend?: string): Ending => ({
    outcome: 'failed',
    stopReason,
    error: appError('agent.failed', message, mend === undefined ? {} : { mend }),
  });
  switch (finish.unified) {
    case 'stop':
      if (response.trim() === '')
        return failed('the model answered without a text', 'ask again, or use another model');
      return { outcome: 'completed', stopReason, error: null };
    case 'length':
      // A truncated text is no answer: a step that accepted it would continue with half a result.
      if (finish.raw === 'model_context_window_exceeded') {
        return failed('the answer was cut off: the model’s context window is full');
      }
      return failed(
        `the answer was cut off at max_output_tokens (${profile.max_output_tokens ?? 'the server’s default'})`,
        `raise max_output_tokens in the profile ${profile.id}, or ask for a shorter answer`,
      );
    case 'content-filter': {
      const error = appError('agent.refused', response || 'the model refused to answer');
      return { outcome: 'refused', stopReason, error };
    }
    case 'interrupted':
      return failed('the answer was cut off');
    case 'error':
      return failed('the server ended the answer with an error');
    case 'tool-calls':
    case 'other':
      // Some servers end a valid answer with a finish reason of their own; without text there is no answer.
      if (response.trim() !== '') return { outcome: 'completed', stopReason, error: null };
      return failed(`the model gave no text (${stopReason})`);
  }
}
