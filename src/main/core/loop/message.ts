import { lazily } from '@contract/lazily';
import { splitFences, summaryLines } from '@contract/update/summary';
import type { Update } from '@contract/update/update';

const PROMISE = /<promise>\s*COMPLETE\s*<\/promise>/i;
const claim = lazily(
  () =>
    /^[\s>*_`#\-\p{Extended_Pictographic}\p{Variation_Selector}]*Result\s*[*_`]*\s*:[\s*_`\p{Extended_Pictographic}\p{Variation_Selector}]*(completed|blocked|failed|no-op)(?![\p{L}\p{N}_]|-[\p{L}\p{N}])[*_`]*(.*)$/iu,
);
/** What may follow the word: nothing, a reason behind a mark, or a reason that begins as one. */
const reasonAfter = lazily(
  () => /^(?:\s*$|\s*[^\p{L}\p{N}\s|/&?]|\s+(?:as|because|by|due|for|on|since|until|waiting|without)\b)/iu,
);
/** The form itself, or a count of a test report: "completed, blocked or failed", "failed: 0". */
const NO_CLAIM = /^\s*(?:[,;]\s*(?:or\s+)?(?:completed|blocked|failed|no-op)\b|[:=]\s*\d)/i;

interface Claim {
  readonly word: Update['result'];
  readonly reason: string;
}

/** A line of the form `Result: x`, with the reason that may stand behind it. */
function claimIn(line: string): Claim | null {
  const [, word, rest = ''] = claim().exec(line) ?? [];
  if (word === undefined || !reasonAfter().test(rest) || NO_CLAIM.test(rest)) return null;
  const reason = /[\p{L}\p{N}]/u.test(rest) ? rest.replace(/^[\s:;,.\u2010-\u2015-]+/, '') : '';
  return { word: word.toLowerCase() as Update['result'], reason };
}

export const promises = (message: string): boolean => PROMISE.test(message);

/** The worker's own word in the last line of the form `Result: x`; null where there is none. */
export function claimOf(message: string): Update['result'] | null {
  const claims = splitFences(message).outside.map(claimIn);
  return claims.findLast((claim) => claim !== null)?.word ?? null;
}

const unclaimed = (line: string): string[] => {
  const claim = claimIn(line);
  if (claim === null) return [line];
  return claim.reason === '' ? [] : [claim.reason];
};

/** What is judged: the message without the promise tag, fenced blocks and the claim. */
export const judgedText = (message: string): string =>
  splitFences(message)
    .outside.flatMap(unclaimed)
    .map((line) => line.replace(PROMISE, ''))
    .join('\n')
    .trim();

const BLOCKED_LINE = /^[\s>*_#-]*blocked[*_]*\s*:[\s*_]*(.*)$/i;
const NOTHING = /^(?:none|no|nothing|nobody|not at all|not blocked|false|0|n\/a|-)[\s.!]*$/i;
const ADVERB =
  '(?:(?:again|also|completely|currently|entirely|fully|hence|now|really|still|therefore|thus|totally) ){0,2}';

/** Only of what is so now: what once held the worker up, and what it blocked itself, is no call for help. */
const stuck = lazily((): readonly RegExp[] => [
  new RegExp(`\\b(?:i am|i'm|we are|we're|i remain|we remain) ${ADVERB}(?:blocked|stuck)\\b(?! no)`, 'i'),
  new RegExp(
    `\\b(?:i|we) ${ADVERB}(?:cannot|can't|can not|am unable to|are unable to) (?:proceed|continue|go on)\\b`,
    'i',
  ),
  new RegExp(
    `\\b(?:this|the) (?:story|task) (?:is ${ADVERB}blocked|cannot proceed|can't proceed|cannot continue)\\b(?! no)`,
    'i',
  ),
  /\b(?:i|we) (?:need|require) (?:your|the user's|the operator's) (?:input|decision|answer|approval|help|guidance|clarification)\b/i,
  /\b(?:i|we) (?:need|require) user (?:input|decision|answer|approval|help|guidance|clarification)(?= (?:about|before|for|here|on|regarding|to|which|whether)\b|\s*[.,:!?]|\s*$)/i,
  /\b(?:i am|i'm|we are|we're) (?:still )?waiting (?:on|for) (?:you|your|the user|the operator)\b/i,
]);

const TRACEBACK = /^\s*Traceback \(most recent call last\)/im;
const unfinished = lazily((): readonly RegExp[] => [
  /\b(?:i|we) (?:could not|couldn't|was unable to|were unable to|am unable to|are unable to|did not manage to|failed to) (?:\w+ ){0,2}?(?:complete|finish|implement|make|get|fix)\b/i,
  /\b(?:typecheck|type check|tests?|build|lint|checks?) (?:still|is still|are still) (?:fail|fails|failing|broken|red)\b/i,
  /(?:^[\s>*_#-]*|\b(?:this|the) (?:story|task) (?:is|was) )unable to (?:be )?complete/i,
]);

/** Words of a condition, or a denial of what follows. */
const UNREAL: readonly RegExp[] = [
  /^[\s>*_#-]*(?:if|unless|in case)\b/i,
  /\b(?:after|before|if|once|unless|until|when|whenever|where|whether)\s+(?:the )?$/i,
  /(?:\bnot|n't|\bnever) (?:believe|feel|mean|say|think)(?: that)? $/i,
  /\b(?:none of|no)\s+(?:\w+ )?$/i,
];
/** What was so at first is told because it is no longer so. */
const EARLIER = /\b(?:at first|initially|originally|previously|earlier|until)\b/i;

/** Pieces that say one thing each, without what is only quoted in them. */
const sentencesOf = (text: string): string[] =>
  text
    .replaceAll('\u2019', "'")
    .replace(/`[^`\n]*`|"[^"\n]*"|\u201c[^\u201d\n]*\u201d/g, '…')
    .split(/\n|;|(?<=[.!?])\s+/);

const says = (sentence: string, patterns: readonly RegExp[]): boolean =>
  patterns.some((pattern) => {
    const found = pattern.exec(sentence);
    if (found === null) return false;
    const before = sentence.slice(0, found.index);
    return !UNREAL.some((unreal) => unreal.test(before));
  });

const isBlockedLine = (line: string): boolean => {
  const rest = BLOCKED_LINE.exec(line)?.[1];
  return rest !== undefined && !NOTHING.test(rest);
};

/** The worker says that it cannot go on without somebody; itself or the story is the subject. */
export const saysStuck = (text: string): boolean =>
  text.split('\n').some(isBlockedLine) || sentencesOf(text).some((sentence) => says(sentence, stuck()));

/** The worker says that the work is not finished. "0 failed" says no such thing. */
export const saysUnfinished = (text: string): boolean =>
  TRACEBACK.test(text) ||
  sentencesOf(text).some((sentence) => !EARLIER.test(sentence) && says(sentence, unfinished()));

/** What an update tells of a message: the promise tag is no part of it, and of the claim only its reason. */
export const summaryOf = (message: string): string[] =>
  summaryLines(
    message
      .split(/\r\n|\r|\n/)
      .flatMap(unclaimed)
      .join('\n')
      .replace(PROMISE, ''),
  );
