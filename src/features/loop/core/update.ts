import { formatUpdate, type Update } from '@areas/feed/contract/update';
import type { RunEvent } from '@contract/run/events';
import { unverifiedStories } from '../contract/check';
import type { AttemptState, LoopState } from '../contract/state';
import { type AttemptVerdict, judge } from './judge/judge';

type Posted = Pick<AttemptState, 'iteration' | 'of' | 'retry'> & { readonly judged: AttemptVerdict | null };

/** An attempt's five lines (seed 004 section 7). */
export function updateOf({ iteration, of, retry, judged }: Posted): Update {
  return {
    iteration,
    of,
    retry,
    story: judged?.storyId == null ? null : { id: judged.storyId, title: judged.storyTitle },
    storySource: judged?.storySource ?? 'none',
    result: judged?.result ?? 'failed',
    commit: judged?.commit ?? null,
    summary: [...(judged?.summary ?? ['(nothing is known of it)'])].slice(0, 3),
  };
}

/**
 * The events after an attempt's examination: the verdict and its single update, committed with the
 * examination.
 */
export function verdictOf(
  loop: LoopState,
  attempt: AttemptState,
  { stepId, trouble }: { readonly stepId: string; readonly trouble: string | null },
): RunEvent[] {
  if (attempt.judged !== null) return [];
  const { activationId, skipped, branch } = loop;
  const { before, after, story: handed, end } = attempt;
  // Whether a watched loop continues after a second failure is not for Muster to say.
  const retry = loop.watch === null ? attempt.retry : 0;
  const unknown = { how: 'unknown' as const, turnId: null, error: null };
  const earlier = loop.attempts.filter(({ id }) => id < attempt.id);
  const judged = judge({
    before,
    after,
    end: end ?? unknown,
    handed,
    retry,
    skipped,
    branch,
    trouble,
    verify: attempt.verify,
    unverified: unverifiedStories(earlier),
  });
  const update = updateOf({ ...attempt, judged });
  return [
    { type: 'loop.attempt-judged', activationId, attemptId: attempt.id, ...judged },
    {
      type: 'update.posted',
      activationId,
      turnId: end?.turnId ?? null,
      stepId,
      update,
      text: formatUpdate(update),
    },
  ];
}
