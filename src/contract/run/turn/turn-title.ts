import type { TurnState } from '../state';

type Titled = Pick<TurnState, 'kind' | 'ordinal' | 'of'> & { readonly label?: string | null };

/**
 * A short title of a turn: `Prompt`, `Re-prompt 2/3`, `Feedback`, `Your prompt`; if a step has several
 * agents, with agent and round: `builder: round 2, re-prompt 1/2`. The first turn of a chain is the prompt
 * itself, so it has one re-prompt fewer than turns.
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
