import { splitFences, summaryLines } from '@areas/feed/contract/summary';
import type { Update } from '@areas/feed/contract/update';
import { lazily } from '@contract/lazy-value';

const PROMISE = /<promise>\s*COMPLETE\s*<\/promise>/i;
const claim = lazily(
  () =>
    /^[\s>*_`#\-\p{Extended_Pictographic}\p{Variation_Selector}]*Result\s*[*_`]*\s*:[\s*_`\p{Extended_Pictographic}\p{Variation_Selector}]*(completed|blocked|failed|no-op)(?![\p{L}\p{N}_]|-[\p{L}\p{N}])[*_`]*(.*)$/iu,
);
/** What may follow the word: nothing, a reason after a separator, or a text that begins like a reason. */
const reasonAfter = lazily(
  () => /^(?:\s*$|\s*[^\p{L}\p{N}\s|/&?]|\s+(?:as|because|by|due|for|on|since|until|waiting|without)\b)/iu,
);
/** The template itself, or a count in a test report: "completed, blocked or failed", "failed: 0". */
const NO_CLAIM = /^\s*(?:[,;]\s*(?:or\s+)?(?:completed|blocked|failed|no-op)\b|[:=]\s*\d)/i;

interface Claim {
  readonly word: Update['result'];
  readonly reason: string;
}

/** A line `Result: x`, with the reason that may follow. */
function claimIn(line: string): Claim | null {
  const [, word, rest = ''] = claim().exec(line) ?? [];
  if (word === undefined || !reasonAfter().test(rest) || NO_CLAIM.test(rest)) return null;
  const reason = /[\p{L}\p{N}]/u.test(rest) ? rest.replace(/^[\s:;,.\u2010-\u2015-]+/, '') : '';
  return { word: word.toLowerCase() as Update['result'], reason };
}

export const promises = (message: string): boolean => PROMISE.test(message);

/** The worker's claim in the last line of the form `Result: x`; null if there is none. */
export function claimOf(message: string): Update['result'] | null {
  const claims = splitFences(message).outside.map(claimIn);
  return claims.findLast((claim) => claim !== null)?.word ?? null;
}

const unclaimed = (line: string): string[] => {
  const claim = claimIn(line);
  if (claim === null) return [line];
  return claim.reason === '' ? [] : [claim.reason];
};

/** The text to judge: the message without promise tag, fenced blocks and claim. */
export const judgedText = (message: string): string =>
  splitFences(message)
    .outside.flatMap(unclaimed)
    .map((line) => line.replace(PROMISE, ''))
    .join('\n')
    .trim();

/** A message's text for an update: without the promise tag, and of the claim only its reason. */
export const summaryOf = (message: string): string[] =>
  summaryLines(
    message
      .split(/\r\n|\r|\n/)
      .flatMap(unclaimed)
      .join('\n')
      .replace(PROMISE, ''),
  );
