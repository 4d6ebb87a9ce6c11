import { promptSchema } from '@areas/prompts/contract/sets';
import { renderPrompt } from '@areas/prompts/core/render';
import { ownValue } from '@contract/own';
import type { ActivationView } from '@main/core/step/module';
import { checkFailure, checkPassed } from '../contract/check';
import type { AttemptState, LoopState } from '../contract/state';
import type { RalphConfig } from './config';

export const WORKER_TEXT = 'loop/ralph-worker';

type WorkerValues = Readonly<Record<'folder' | 'branch' | 'iteration' | 'iterations' | 'story', string>>;

/** Requested if the operator's own prompt does not: the claim is read from this line. */
const CLAIM_LINE =
  'End your last message with one line of this form, and nothing after it:\nResult: completed | blocked | failed | no-op';

/** The only question to a worker that changed nothing and did not say how it ended. */
export const RESULT_QUESTION = `No file has changed, and your last message does not say how your work ended. Do not work on; say in one sentence why nothing changed. ${CLAIM_LINE}`;

/** Values are inserted unchanged and never expanded again. */
const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{([a-z][a-z0-9_]*)\}/g, (whole, name: string) => ownValue(values, name) ?? whole);

/** A worker's prompt: its story, and the reason for a retry. */
export function workerPrompt(
  view: ActivationView<RalphConfig>,
  loop: LoopState,
  attempt: AttemptState,
): string {
  const { config } = view;
  const values: WorkerValues = {
    folder: loop.folder,
    branch: loop.branch ?? 'the present branch',
    iteration: String(attempt.iteration),
    iterations: String(attempt.of),
    story: storyText(attempt),
  };
  const ownText = config.prompt;
  const filled = (ownText === null ? fromTheLibrary(view, values) : fill(ownText, values)).trim();
  const parts = [filled];
  if (ownText !== null && !ownText.includes('{story}')) parts.push(`## Your story\n${storyText(attempt)}`);
  parts.push(...whyAgain(loop, attempt));
  if (!/Result:/.test(filled)) parts.push(CLAIM_LINE);
  return parts.join('\n\n');
}

/** A library text has an escape for braces; a step's own text does not. */
function fromTheLibrary(view: ActivationView<RalphConfig>, values: WorkerValues): string {
  const text = view.promptText(WORKER_TEXT);
  if (text === null) throw new Error(`the run has no prompt text ${WORKER_TEXT}`);
  return renderPrompt(promptSchema(WORKER_TEXT), text, values);
}

const storyText = ({ story }: AttemptState): string =>
  story === null
    ? 'There is no plan file. Do the next piece of the work that these instructions describe.'
    : `${story.id} - ${story.title}`;

/** Output may contain fences itself. */
function fenced(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}\n${text}\n${fence}`;
}

function whyAgain(loop: LoopState, attempt: AttemptState): string[] {
  const last = loop.attempts.find((one) => one.id === attempt.id - 1);
  const previous = last?.judged ?? null;
  const check = last?.end?.check;
  const parts: string[] = [];
  if (attempt.verify !== undefined)
    parts.push(
      `## The project's check\nMuster runs this when you have ended. Your story is done only if it succeeds:\n${fenced(attempt.verify)}`,
    );
  if (attempt.retry > 0 && previous !== null) {
    const summary = previous.summary.join('\n');
    parts.push(
      `## This is a second try\nThe first try of this iteration failed. Look at what it left behind before you go on. It said:\n${summary}`,
    );
  }
  if (check !== undefined && !checkPassed(check))
    parts.push(
      `## The check failed\nAfter the attempt before this one the check failed: ${checkFailure(check)}. The end of its output:\n${fenced(check.output.trim() || '(no output)')}`,
    );
  if (attempt.text !== null) parts.push(`## From the operator\n${attempt.text}`);
  return parts;
}
