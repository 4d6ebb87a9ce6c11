import { holdsUp } from '@areas/gates/contract/gate';
import type { GateRow } from '@areas/gates/contract/procedures';
import { gateOrigin } from '@areas/gates/contract/requester';
import { announcedStep } from '@contract/run/features/feature-answers';
import type { AskedQuestion, News, NewsStep } from '@main/core/ports/store/deliveries';

/** Deliveries are read on a phone or by another agent; the full text is in the inbox. */
const LONGEST = 2_000;

type Question = Pick<
  GateRow,
  | 'runId'
  | 'gateId'
  | 'kind'
  | 'title'
  | 'message'
  | 'options'
  | 'asker'
  | 'agent'
  | 'stepId'
  | 'stepTitle'
  | 'runName'
  | 'projectName'
>;
type Ended = Extract<News, { subject: 'end' }>;

const cut = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST).trimEnd()} …`;

/** `Loop "checkout"`, `Team "Release"`: a loop's title may already name its kind. */
function subjectName({ type, title }: NewsStep): string {
  const kind = announcedStep(type)?.noun ?? 'Step';
  const bare = title.replace(/^(?:loop|team):\s*/i, '').trim();
  return bare === '' ? kind : `${kind} "${bare}"`;
}

/** The question without its loop's name, which begins the titles of the loop's gates. */
const questionIn = (title: string, step: NewsStep): string =>
  title.startsWith(`${step.title}: `) ? title.slice(step.title.length + 2) : title;

const place = (parts: readonly (string | null | undefined)[]): string[] => {
  const text = [...new Set(parts.filter((part) => part != null && part !== ''))].join(' · ');
  return text === '' ? [] : [text];
};

/** The attempt's update names the story; the evidence of other gates may be of any length and kind. */
export function evidenceToSend({ kind, evidence }: Pick<GateRow, 'kind' | 'evidence'>): string | null {
  const text = evidence?.trim() ?? '';
  if (text === '') return null;
  if (kind === 'iteration_blocked' || kind === 'iteration_failed') return cut(text);
  // On a screen the last lines are the question.
  if (kind === 'terminal_question')
    return text.length <= LONGEST ? text : `… ${text.slice(-LONGEST).trimStart()}`;
  return null;
}

/** The question as plain text: what is waiting, where, and the possible answers. */
export function questionText(
  gate: Question,
  step: NewsStep,
  { gate: address, evidence }: AskedQuestion,
): string {
  const needs = holdsUp(gate.kind) ? 'needs your answer' : 'may be stuck';
  return [
    `${subjectName(step)} ${needs}: ${questionIn(gate.title, step)}`,
    ...place([gateOrigin(gate)]),
    ...(gate.message.trim() === '' ? [] : ['', cut(gate.message.trim())]),
    ...(evidence === null ? [] : ['', evidence]),
    '',
    'Answers:',
    ...gate.options.map(({ label, effect }) => `- ${label}${effect === '' ? '' : `: ${effect}`}`),
    `It waits in the inbox as ${address}.`,
  ].join('\n');
}

/**
 * How a program or agent on this machine can answer. Contains the token, so it must not be shown or logged.
 */
export function howToAnswer({ answer, options }: AskedQuestion): string | null {
  if (answer === null) return null;
  const offered = options.filter(({ id }) => answer.options.includes(id));
  const ids = offered.map(({ id, label, needs }) =>
    needs === undefined ? `"${id}" (${label})` : `"${id}" (${label}; needs "${needs}")`,
  );
  const example = JSON.stringify({ token: answer.token, option: offered[0]?.id ?? '', text: 'your words' });
  return [
    `To answer from here, send one of the options ${ids.join(', ')} once, until ${answer.expires}:`,
    `POST ${answer.url} with Content-Type: application/json`,
    example,
    'Omit "text" where the option needs none and you add no words; a rejection gives "reason" instead.',
  ].join('\n');
}

/** A provider's limit: the loop or team continues by itself. */
export const waitText = (step: NewsStep, until: string, names: readonly (string | null)[]): string =>
  [
    `${subjectName(step)} waits for its provider’s limit until ${until}.`,
    ...place(names),
    'It continues by itself. You need not do anything.',
  ].join('\n');

const OUTCOMES: Readonly<Record<Ended['outcome'], string>> = {
  succeeded: 'has succeeded',
  failed: 'has failed',
  cancelled: 'was stopped',
  rejected: 'ended because you rejected its work',
  revised: 'ended and is running again',
};

const sentence = (text: string): string => {
  const trimmed = text.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? '' : '.'}`;
};

export function endText({ step, outcome, error, receipt }: Ended, names: readonly (string | null)[]): string {
  const done = announcedStep(step.type)?.done(receipt) ?? null;
  return [
    `${subjectName(step)} ${OUTCOMES[outcome]}.`,
    ...place(names),
    ...(done === null ? [] : [sentence(done)]),
    ...(error === null ? [] : [cut(sentence(error.message))]),
    error?.mend === undefined
      ? 'You need not answer anything.'
      : `What you can do: ${cut(sentence(error.mend))}`,
  ].join('\n');
}
