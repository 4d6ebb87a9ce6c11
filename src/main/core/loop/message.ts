import { splitFences, summaryLines } from '@contract/update/summary';
import type { Update } from '@contract/update/update';

const PROMISE = /<promise>\s*COMPLETE\s*<\/promise>/i;
const CLAIM = /^[\s>*_`#-]*Result\s*[*_`]*\s*:\s*[*_`]*\s*(completed|blocked|failed|no-op)\b[*_`.\s]*$/i;

export const promises = (message: string): boolean => PROMISE.test(message);

/** The worker's own word in the last line of the form `Result: x`; null where there is none. */
export function claimOf(message: string): Update['result'] | null {
  const found = splitFences(message)
    .outside.map((line) => CLAIM.exec(line)?.[1]?.toLowerCase())
    .findLast((word) => word !== undefined);
  return (found ?? null) as Update['result'] | null;
}

/** What is judged: the message without the promise tag, fenced blocks and the claim. */
export const judgedText = (message: string): string =>
  splitFences(message)
    .outside.filter((line) => !CLAIM.test(line))
    .map((line) => line.replace(PROMISE, ''))
    .join('\n')
    .trim();

const STUCK: readonly RegExp[] = [
  /^[\s>*_#-]*blocked\s*:/im,
  /\b(?:i|we)(?: am|'m| are|'re)? (?:\w+ ){0,2}?(?:blocked|stuck)\b(?! no)/i,
  /\b(?:i|we) (?:cannot|can't|can not|am unable to|are unable to) (?:proceed|continue|go on)\b/i,
  /\b(?:this|the) (?:story|task) (?:is blocked|cannot proceed|can't proceed|cannot continue)\b/i,
  /\b(?:i|we) (?:need|require) (?:your|the user's|user) (?:input|decision|answer|approval|help|guidance|clarification)\b/i,
  /\b(?:i am|i'm|we are|we're) waiting (?:on|for) (?:you|your|the user)\b/i,
];

const UNFINISHED: readonly RegExp[] = [
  /^\s*Traceback \(most recent call last\)/im,
  /\b(?:i|we) (?:could not|couldn't|was unable to|were unable to|am unable to|did not manage to|failed to) (?:\w+ ){0,2}?(?:complete|finish|implement|make|get|fix)\b/i,
  /\b(?:typecheck|type check|tests?|build|lint|checks?) (?:still|is still|are still) (?:fail|fails|failing|broken|red)\b/i,
  /\bunable to complete\b/i,
];

/** The worker says that it cannot go on without somebody; itself or the story is the subject. */
export const saysStuck = (text: string): boolean => STUCK.some((pattern) => pattern.test(text));
/** The worker says that the work is not finished. "0 failed" says no such thing. */
export const saysUnfinished = (text: string): boolean => UNFINISHED.some((pattern) => pattern.test(text));

/** What an update tells of a message, which the claim and the promise tag are no part of. */
export const summaryOf = (message: string): string[] =>
  summaryLines(
    message
      .split('\n')
      .filter((line) => !CLAIM.test(line))
      .join('\n')
      .replace(PROMISE, ''),
  );
