import { type AppError, appError } from '@contract/errors';
import type { ShownResult } from '@contract/run/results/results';
import type { RunState } from '@contract/run/state';

export const noRun = (runId: number) => appError('not_found', `there is no run ${runId}`);

export const stillGoing = (): AppError =>
  appError('conflict', 'The run is still running.', {
    mend: 'Wait until it ends, or cancel it; then apply it.',
  });

/** Such as those of a run that was imported from another machine. */
export const notHere = (projectPath: string): AppError =>
  appError(
    'not_found',
    `The folders and branches of the run are not on this machine, or its project is no longer in ${projectPath}.`,
    {
      mend: 'If you moved the project, move it back or put a link in its place; else apply it on the machine where it ran.',
    },
  );

export const inProject = ({ projectPath }: RunState): AppError =>
  appError('conflict', `The run worked in your own checkout: its changes are already in ${projectPath}.`);

export function conflicts(
  { branch, commit }: ShownResult,
  { target, conflicts: found }: { readonly target: string; readonly conflicts: readonly { path: string }[] },
): AppError {
  const files = found.map(({ path }) => path).join(', ');
  return appError(
    'conflict',
    `Nothing was applied: ${found.length === 1 ? 'this file conflicts' : 'these files conflict'} with ${target}: ${files}.`,
    { mend: `Merge it by hand: git merge ${branch ?? commit ?? ''}` },
  );
}

export const moved = (why: string): AppError =>
  appError('run.result_changed', `Nothing was applied. ${why}`, {
    mend: 'Look at the changes again, then apply.',
  });

export const changedSince = (): AppError => moved('The result was edited after it was shown.');

export const notApplied = (): AppError =>
  appError('not_found', 'Nothing was undone: this result is not applied.');

export const notUndoable = (): AppError =>
  appError('conflict', 'Muster cannot undo this: it did not make all of the change.', {
    mend: 'You had the same changes staged, or they were in the checkout before. Undo it by hand.',
  });
