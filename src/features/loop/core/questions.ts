import { formatUpdate } from '@areas/feed/contract/update';
import type { GateOption } from '@areas/gates/contract/gate';
import type { TimerKey } from '@contract/run/keys';
import type { GateDecision } from '@main/core/step/decision';
import type { ActivationView } from '@main/core/step/module';
import type { LoopKey } from '../contract/keys';
import { type AttemptState, type LoopState, openInLoop } from '../contract/state';
import type { RalphConfig } from './config';
import { stillOpen, type UpdateResult } from './judge/judge';
import { updateOf } from './update';

type View = ActivationView<RalphConfig>;

/** An attempt is followed by at most one question, whatever the reasons. */
export const afterAttempt = (attemptId: number): LoopKey => ['loop.after-attempt', attemptId];
export const timeLimitKey = ({ reading, resumedAfter }: LoopState): TimerKey => [
  'loop.time-limit',
  reading?.after ?? 0,
  resumedAfter,
];

/** A first failure is followed by a second try of the same iteration. */
export const isRetried = ({ judged, retry }: AttemptState): boolean =>
  judged?.result === 'failed' && judged.halt === null && retry === 0;

interface Reason {
  readonly title: string;
  readonly message: string;
}

/** Why the operator must be asked before the loop continues; null if nothing requires it. */
export function reasonToAsk(view: View, loop: LoopState, last: AttemptState): Reason | null {
  const { judged } = last;
  if (judged === null) return null;
  const of = `iteration ${last.iteration} of ${last.of}`;
  const story = judged.storyId ?? last.story?.id ?? 'its story';
  if (judged.result === 'blocked')
    return {
      title: `${view.title}: blocked at ${story}`,
      message: [`The worker of ${of} cannot go on by itself.`, askedBy(last)].join(''),
    };
  if (judged.halt !== null)
    return { title: `${view.title}: stopped at ${of}`, message: `It is not safe to go on: ${judged.halt}.` };
  if (judged.result === 'failed' && last.retry > 0 && !judged.terminal)
    return { title: `${view.title}: stopped at ${of}`, message: 'You stopped its second try.' };
  const stalled = stall(view, loop, last);
  if (stalled !== null) return { title: `${view.title}: no progress at ${story}`, message: stalled };
  if (isLate(view, loop))
    return {
      title: `${view.title}: its time is over`,
      message: `The loop has used its ${view.config.minutes ?? 0} minutes. Go on for as long again?`,
    };
  // The iteration that a pause waits for gets its second try first.
  if (loop.pauseRequested && !isRetried(last))
    return { title: `${view.title}: paused`, message: `Paused after ${of}, as you asked.` };
  return null;
}

/** A question that an agent asked by its own means. */
function askedBy({ after }: AttemptState): string {
  const question = after?.codex?.question;
  return question === undefined ? '' : `\n\nIt asks:\n${question}`;
}

/** The same story is repeated without completion: no-ops, or commits that leave it open. */
function stall(view: View, loop: LoopState, last: AttemptState): string | null {
  const least = view.config.stall_after;
  const kind = (attempt: AttemptState): UpdateResult | 'open' | null =>
    attempt.judged?.result === 'no-op'
      ? 'no-op'
      : attempt.judged && stillOpen(attempt.judged)
        ? 'open'
        : null;
  const wanted = kind(last);
  if (wanted === null) return null;
  const story = storyOf(last);
  let count = 0;
  for (const attempt of [...loop.attempts].reverse()) {
    if (kind(attempt) !== wanted || storyOf(attempt) !== story) break;
    // A question restarts the count.
    if (count > 0 && (view.gateByKey(afterAttempt(attempt.id)) !== null || attempt.id <= loop.resumedAfter))
      break;
    count += 1;
  }
  if (count < least) return null;
  const what = wanted === 'no-op' ? 'came to nothing' : 'made commits and left the story open';
  return `${count} iterations in a row ${what}.`;
}

const storyOf = ({ story, judged }: AttemptState): string | null => story?.id ?? judged?.storyId ?? null;

/** The time limit counts from the loop's start, and again from each answer of the operator. */
const isLate = (view: View, loop: LoopState): boolean =>
  view.config.minutes !== null && view.timer(timeLimitKey(loop))?.fired === true;

type Tone = GateOption['tone'];
const option = (tone: Tone, [id, label]: readonly [string, string], effect: string): GateOption => ({
  id,
  label,
  effect,
  tone,
});

/** Continue with the operator's text, skip the story, or stop (seed 004, US-003). */
export function questionAfter(view: View, last: AttemptState, reason: Reason): GateDecision {
  const id = skippable(view, last);
  const more = hasNoPlan(view)
    ? REPAIR
    : nothingLeft(view)
      ? AS_IT_IS
      : isRetried(last)
        ? `Iteration ${last.iteration}/${last.of} is tried again by a new worker, which is given what you write.`
        : last.iteration < last.of
          ? `Iteration ${last.iteration + 1}/${last.of} begins with a new worker, which is given what you write.`
          : `All ${last.of} iterations are used: the loop ends as failed, and can be resumed for as many again.`;
  return {
    kind: 'gate',
    gate: 'iteration_blocked',
    about: afterAttempt(last.id),
    title: reason.title,
    message: reason.message,
    evidence: [{ kind: 'text', text: formatUpdate(updateOf(last)) }],
    options: [
      option('approve', ['continue', 'Continue'], more),
      ...(id === null
        ? []
        : [
            option(
              'neutral',
              ['skip', `Skip ${id}`],
              `${id} is left as it is; the loop goes on with the next story.`,
            ),
          ]),
      option('reject', ['stop', 'Stop the loop'], 'The loop ends here. Its branch stays; it can be resumed.'),
    ],
  };
}

const REPAIR =
  'prd.json is read again. It cannot be used now: repair it first. If it is as it is now, no worker begins and the loop ends as failed; it can be resumed.';

/** The worker spoilt or removed the plan, and the loop has no prompt of its own. */
function hasNoPlan(view: View): boolean {
  const state = view.part('loops')?.plan.state;
  return state === 'broken' || (state === 'none' && view.config.prompt === null);
}

const AS_IT_IS = 'prd.json is read again. Where no story is open in it then, the loop ends as done.';

/** No story in the current plan is open. */
function nothingLeft(view: View): boolean {
  const loop = view.part('loops');
  return loop?.plan.state === 'read' && openInLoop(loop).length === 0;
}

/** The story that "skip" refers to: the one given to the worker, if it is still open. */
export function skippable(view: Pick<View, 'part'>, last: AttemptState): string | null {
  const loop = view.part('loops');
  const id = last.story?.id ?? last.judged?.storyId ?? null;
  if (id === null || loop == null || loop.skipped.includes(id)) return null;
  return openInLoop(loop).some((story) => story.id === id) ? id : null;
}

/** Stays in the inbox after the loop has ended with a second failure. */
export function questionAtTheEnd(view: View, last: AttemptState): GateDecision {
  const story = last.judged?.storyId ?? last.story?.id ?? 'a story';
  return {
    kind: 'gate',
    gate: 'iteration_failed',
    about: ['loop.failed-twice', last.id],
    title: `${view.title}: failed twice at ${story}`,
    message: 'The loop has ended. You can have it go on from here with the next iteration, or leave it.',
    evidence: [{ kind: 'text', text: formatUpdate(updateOf(last)) }],
    options: [
      option(
        'approve',
        ['resume', 'Resume from here'],
        hasNoPlan(view)
          ? REPAIR
          : nothingLeft(view)
            ? AS_IT_IS
            : 'prd.json is read again, and the next iteration begins with a new worker, which is given what you write.',
      ),
      option('reject', ['leave', 'Leave it'], 'The loop stays as it ended: failed. Its branch stays.'),
    ],
  };
}
