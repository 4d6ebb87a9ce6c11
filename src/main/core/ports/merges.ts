import type { Result } from '@contract/result';
import type { RunEventOf } from '@contract/run/events';

export type Rehearsal = Pick<
  RunEventOf<'team.merge-rehearsed'>,
  'target' | 'targetCommit' | 'files' | 'conflicts'
>;
export type MergeChoices = RunEventOf<'team.merge-confirmed'>['choices'];

export interface MergeWanted {
  readonly projectPath: string;
  /** The state that is to be merged, as a commit. */
  readonly commit: string;
}

/** Merges into the operator's checkout: only ever whole, and never with conflict markers in it. */
export interface Merges {
  /** Tries the merge without touching any work tree. */
  rehearse(wanted: MergeWanted): Promise<Result<Rehearsal>>;
  /**
   * Merges, with the operator's choice for each conflict. `conflict`: the checkout moved on since the rehearsal in a
   * way that the choices do not cover, or has changes of its own in a file that would change; nothing was done then.
   * Gives the commit; null where there is nothing to merge any more.
   */
  merge(
    wanted: MergeWanted & {
      readonly choices: MergeChoices;
      readonly message: string;
      /** Where the target was when it was rehearsed. */
      readonly expected: string;
    },
  ): Promise<Result<string | null>>;
}
