import type { conflictChoiceSchema } from '@areas/changes/contract/merge';
import type { z } from 'zod';
import type { MergeState } from '../state';

export type Take = z.infer<typeof conflictChoiceSchema>;
export type MergeConflict = NonNullable<MergeState['rehearsal']>['conflicts'][number];

/** Rehearsals from before `shown` existed indicate it only in the text. */
function shownOf({ shown, base, ours, theirs }: MergeConflict): NonNullable<MergeConflict['shown']> {
  if (shown !== undefined) return shown;
  const sides = [base, ours, theirs];
  if (sides.includes('(binary)')) return 'binary';
  return sides.some((side) => side?.endsWith('\n… larger than can be shown') === true) ? 'cut' : 'whole';
}

/**
 * The possible resolutions of a conflicting file. A truncated file cannot be edited by hand, because the
 * edited text replaces the whole file. Only text files offer the lines of both sides.
 */
export function takesOf(conflict: MergeConflict): readonly Take[] {
  const shown = shownOf(conflict);
  if (shown === 'binary') return ['ours', 'theirs'];
  return shown === 'cut' ? ['ours', 'theirs', 'both'] : ['ours', 'theirs', 'both', 'by_hand'];
}
