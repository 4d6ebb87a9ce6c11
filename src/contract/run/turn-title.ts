import type { TurnState } from './state';

type Titled = Pick<TurnState, 'kind' | 'ordinal' | 'of'> & { readonly label?: string | null };

/**
 * What a turn's prompt was: `Prompt`, `Re-prompt 2/3`, `Feedback`, `Your prompt`; where several agents work in a step,
 * whose it was and in which round: `builder: round 2, re-prompt 1/2`. The chain's first turn is the prompt itself, so
 * its re-prompts are one fewer than its turns.
 */
export function turnTitle({ kind, ordinal, of, label }: Titled): string {
  if (label != null) return label;
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
