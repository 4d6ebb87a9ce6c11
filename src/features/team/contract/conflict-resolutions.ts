import type { conflictChoiceSchema } from '@contract/workspace/merge';
import type { z } from 'zod';
import type { MergeState } from './state';

export type Take = z.infer<typeof conflictChoiceSchema>;
export type MergeConflict = NonNullable<MergeState['rehearsal']>['conflicts'][number];

/** Rehearsals of before `shown` say it in the text alone. */
function shownOf({ shown, base, ours, theirs }: MergeConflict): NonNullable<MergeConflict['shown']> {
  if (shown !== undefined) return shown;
  const sides = [base, ours, theirs];
  if (sides.includes('(binary)')) return 'binary';
  return sides.some((side) => side?.endsWith('\n… larger than can be shown') === true) ? 'cut' : 'whole';
}

/**
 * The ways to resolve a file in conflict. A file whose text is cut off cannot be written by hand, because the written
 * text becomes the whole file. Lines of both sides there are only in a text.
 */
export function takesOf(conflict: MergeConflict): readonly Take[] {
  const shown = shownOf(conflict);
  if (shown === 'binary') return ['ours', 'theirs'];
  return shown === 'cut' ? ['ours', 'theirs', 'both'] : ['ours', 'theirs', 'both', 'by_hand'];
}
