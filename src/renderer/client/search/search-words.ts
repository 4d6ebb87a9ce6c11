import { literalPattern } from '@contract/literal-pattern';

/** The words of a search, in lower case. */
export const searchWords = (text: string): string[] => [
  ...new Set(text.toLowerCase().split(/\s+/).filter(Boolean)),
];

/** A pattern for any of the words; the longest first, so that a mark covers as much as possible. */
export function anyOf(words: readonly string[]): RegExp | null {
  const sources = [...words].sort((a, b) => b.length - a.length).map(literalPattern);
  return sources.length === 0 ? null : new RegExp(sources.join('|'), 'giu');
}

interface Part {
  readonly at: number;
  readonly text: string;
  readonly found: boolean;
}

/** A text split into matches and the parts between them. */
export function partsOf(text: string, words: readonly string[]): Part[] {
  const pattern = anyOf(words);
  if (pattern === null) return [{ at: 0, text, found: false }];
  const parts: Part[] = [];
  let end = 0;
  for (const { index, 0: hit } of text.matchAll(pattern)) {
    if (index > end) parts.push({ at: end, text: text.slice(end, index), found: false });
    parts.push({ at: index, text: hit, found: true });
    end = index + hit.length;
  }
  if (end < text.length) parts.push({ at: end, text: text.slice(end), found: false });
  return parts;
}

const WHOLE = 100;
const TITLE_BEGINS = 40;
const TITLE_WORD = 20;
const OTHER_WORD = 8;
const INSIDE = 1;
/** Minimum length of a match inside a word. */
const MIN_INSIDE = 3;

/**
 * How well a name matches the typed text; 0 if a word is in neither the title nor the other names. Order:
 * titles that begin with the text, titles with a word that begins with it, other names.
 */
export function fitOf(title: string, others: string, text: string): number {
  const words = searchWords(text);
  const name = title.toLowerCase();
  const rest = others.toLowerCase();
  const nameWords = wordsIn(name);
  const otherWords = wordsIn(rest);
  let score = name.startsWith(words.join(' ')) ? WHOLE : 0;
  for (const word of words) {
    if (nameWords[0]?.startsWith(word)) score += TITLE_BEGINS;
    else if (nameWords.some((one) => one.startsWith(word))) score += TITLE_WORD;
    else if (otherWords.some((one) => one.startsWith(word)) || rest.startsWith(word)) score += OTHER_WORD;
    else if (word.length >= MIN_INSIDE && (name.includes(word) || rest.includes(word))) score += INSIDE;
    else return 0;
  }
  return score;
}

const wordsIn = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
