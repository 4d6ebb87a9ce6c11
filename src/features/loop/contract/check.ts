import type { AttemptCheck, LoopAfter, LoopBefore, Plan, Story } from './events';

export const checkPassed = ({ outcome, exitCode }: AttemptCheck): boolean =>
  outcome === 'exited' && exitCode === 0;

/** The result of a check that did not pass. */
export function checkFailure({ outcome, exitCode }: AttemptCheck): string {
  switch (outcome) {
    case 'exited':
      return `exit ${exitCode ?? 'unknown'}`;
    case 'timed_out':
      return 'it took too long';
    case 'failed_to_start':
      return 'it could not be started';
    case 'cancelled':
      return 'it was cancelled';
    case 'signalled':
      return 'it was ended by a signal';
  }
}

/** Stories that pass in the later plan but did not in the earlier one. */
export function flippedStories(before: Plan | undefined, after: Plan | undefined): Story[] {
  if (before?.state !== 'read' || after?.state !== 'read') return [];
  const open = new Set(before.stories.flatMap(({ id, passes }) => (passes ? [] : [id])));
  return after.stories.filter(({ id, passes }) => passes && open.has(id));
}

interface Checked {
  readonly verify?: string | undefined;
  readonly end: { readonly check?: AttemptCheck | undefined } | null;
  readonly before: LoopBefore | null;
  readonly after: LoopAfter | null;
}

/**
 * Stories that a worker marked as passing but the project's check has not confirmed: it failed or did not
 * run, and has not passed after a later attempt.
 */
export function unverifiedStories(attempts: readonly Checked[]): string[] {
  let open: readonly string[] = [];
  for (const { verify, end, before, after } of attempts) {
    if (verify === undefined) continue;
    const flipped = flippedStories(before?.plan, after?.plan).map(({ id }) => id);
    open = end?.check !== undefined && checkPassed(end.check) ? [] : [...new Set([...open, ...flipped])];
  }
  return [...open];
}
