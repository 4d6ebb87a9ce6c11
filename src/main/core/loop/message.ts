import { plainLine } from '@contract/update/plain-line';
import type { Update } from '@contract/update/update';

const PROMISE = /<promise>\s*COMPLETE\s*<\/promise>/i;
const CLAIM = /^[\s>*_`#-]*Result\s*[*_`]*\s*:\s*[*_`]*\s*(completed|blocked|failed|no-op)\b[*_`.\s]*$/i;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

export const promises = (message: string): boolean => PROMISE.test(message);

/** The worker's own word in the last line of the form `Result: x`; null where there is none. */
export function claimOf(message: string): Update['result'] | null {
  const found = withoutFences(message)
    .map((line) => CLAIM.exec(line)?.[1]?.toLowerCase())
    .findLast((word) => word !== undefined);
  return (found ?? null) as Update['result'] | null;
}

/** Lines outside of fenced blocks. An unclosed fence swallows nothing: its text is what there is to read. */
function withoutFences(message: string): string[] {
  const lines = message.split(/\r\n|\r|\n/);
  const kept: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const mark = FENCE.exec(line)?.[1];
    const close = mark === undefined ? -1 : closing(lines, index, mark);
    if (close > 0) index = close;
    else if (mark === undefined) kept.push(line);
  }
  return kept;
}

const closing = (lines: readonly string[], open: number, mark: string): number =>
  lines.findIndex(
    (line, index) => index > open && line.trim().startsWith(mark) && /^[`~]+$/.test(line.trim()),
  );

/** What is judged: the message without the promise tag, fenced blocks and the claim. */
export const judgedText = (message: string): string =>
  withoutFences(message)
    .filter((line) => !CLAIM.test(line))
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

const LINE_LIMIT = 200;

/** The first three lines that say something, without marks of Markdown, each cut to 200 characters. */
export function summaryOf(message: string): string[] {
  return judgedText(message)
    .split('\n')
    .map(plainLine)
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
    .slice(0, 3)
    .map((line) => (line.length > LINE_LIMIT ? `${line.slice(0, LINE_LIMIT - 1)}…` : line));
}
