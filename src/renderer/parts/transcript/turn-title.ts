import type { TurnState } from '@contract/run/state';

type Titled = Pick<TurnState, 'kind' | 'ordinal' | 'of'>;

/** What a turn's prompt was: `Prompt`, `Re-prompt 2/3`, `Feedback`, `Your prompt`. */
export function promptTitle({ kind, ordinal, of }: Titled): string {
  switch (kind) {
    case 'primary':
      return 'Prompt';
    case 'reprompt':
      return `Re-prompt ${ordinal}/${of - 1}`;
    case 'feedback':
      return 'Feedback';
    case 'reminder':
      return 'Reminder';
    case 'continue':
      return 'Continued';
    case 'operator':
      return 'Your prompt';
  }
}
