import { type AppError, appError } from '@contract/errors';
import type { Json } from '@contract/ids';
import type { FinishDecision } from '@main/core/step/decision';
import type { ActivationView } from '@main/core/step/module';
import { makeBundle } from '@main/core/step/output/bundle';
import { unverifiedStories } from '../contract/check';
import { type AttemptState, allPass, type LoopState, missingStories, openInLoop } from '../contract/state';
import type { RalphConfig } from './config';
import { questionAtTheEnd } from './questions';

type View = ActivationView<RalphConfig>;

interface Ending {
  readonly outcome: FinishDecision['outcome'];
  readonly error: AppError | null;
}

/** Ends the loop; its result is on its ports and receipt, whatever the outcome. */
export function finishLoop(view: View, loop: LoopState, { outcome, error }: Ending): FinishDecision {
  const receipt = receiptOf(view, loop);
  const bundle = (content: Json, port: string) =>
    makeBundle(content, {
      stepId: view.stepId,
      activationId: view.activationId,
      port,
      sessionKey: null,
      kind: 'json',
    });
  const outputs = {
    data_out: bundle({ ...receipt, attempts: loop.attempts.map(attemptOf) }, 'data_out'),
    receipt_out: bundle(receipt, 'receipt_out'),
  };
  const signals = outcome === 'succeeded' ? ['data_out', 'receipt_out', 'signal_out'] : [];
  return { kind: 'finish', outcome, outputs, signals, receipt, warnings: warningsOf(loop), error };
}

/** A second failure ends the loop; the inbox then asks whether to resume it. */
export function endOf(view: View, loop: LoopState, last: AttemptState): FinishDecision {
  const story = last.judged?.storyId ?? last.story?.id ?? 'a story';
  const message = `iteration ${last.iteration} of ${last.of} failed twice at ${story}: ${last.judged?.summary[0] ?? ''}`;
  const error = appError('step.failed', message, { mend: 'resume it from here in the inbox, or leave it' });
  return {
    ...finishLoop(view, loop, { outcome: 'failed', error }),
    escalation: questionAtTheEnd(view, last),
  };
}

function receiptOf(view: View, loop: LoopState): Record<string, Json> {
  const stories = loop.plan.state === 'read' ? loop.plan.stories : [];
  const count = (result: string) => loop.attempts.filter(({ judged }) => judged?.result === result).length;
  const tokens = loop.attempts.flatMap(({ id }) => view.lane(`attempt-${id}`).turns);
  return {
    step_id: view.stepId,
    complete:
      loop.plan.state === 'read'
        ? allPass(loop.plan) && unverifiedStories(loop.attempts).length === 0
        : (loop.attempts.at(-1)?.judged?.promised ?? false),
    branch: loop.branch,
    iterations: loop.attempts.at(-1)?.iteration ?? 0,
    of: loop.of,
    attempts: loop.attempts.length,
    results: {
      completed: count('completed'),
      blocked: count('blocked'),
      failed: count('failed'),
      'no-op': count('no-op'),
    },
    stories_passing: stories.filter((story) => story.passes).length,
    stories: stories.length,
    open: openInLoop(loop).map((story) => story.id),
    skipped: [...loop.skipped],
    tokens: tokens.reduce((sum, turn) => sum + (turn?.usage?.total_tokens ?? 0), 0),
  };
}

const attemptOf = ({ id, iteration, retry, judged }: AttemptState): Json => ({
  attempt: id,
  iteration,
  retry,
  story: judged?.storyId ?? null,
  story_source: judged?.storySource ?? 'none',
  result: judged?.result ?? null,
  commit: judged?.commit ?? null,
  summary: judged === null ? [] : [...judged.summary],
  warnings: judged === null ? [] : [...judged.warnings],
});

function warningsOf(loop: LoopState): string[] {
  const { plan, skipped, branch } = loop;
  const after = loop.attempts.at(-1)?.after ?? null;
  const lost = missingStories(loop).filter((id) => !skipped.includes(id));
  const stories = plan.state === 'read' ? plan.stories : [];
  const unfinished = skipped.filter((id) => stories.some((story) => story.id === id && !story.passes));
  return [
    ...(unfinished.length === 0 ? [] : [`skipped, and still open: ${unfinished.join(', ')}`]),
    ...(plan.state === 'read' && stories.length === 0 ? ['the plan has no stories'] : []),
    ...(plan.state === 'read' && lost.length > 0 ? [`lost from prd.json: ${lost.join(', ')}`] : []),
    ...(after?.putBack === false
      ? [
          `${after.branch ?? 'no branch'} is checked out, not ${branch ?? 'that of the loop'}: git could not put it back`,
        ]
      : []),
  ];
}
