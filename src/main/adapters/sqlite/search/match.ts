/** Maximum number of words in a search, and their maximum length. */
const MAX_WORDS = 12;
const MAX_WORD = 64;
/** Shorter prefixes would match half the dictionary. */
const MIN_BEGINNING = 3;

/**
 * The words of a search text, split like the index: letters, numbers and marks belong to a word, anything
 * else separates. So no FTS5 syntax remains that could fail or have a meaning.
 */
export function wordsOf(text: string): string[] {
  const words = text.normalize('NFC').match(/[\p{L}\p{N}\p{Co}\p{Mn}\p{Mc}]+/gu) ?? [];
  return [...new Set(words)].slice(0, MAX_WORDS).map((word) => word.slice(0, MAX_WORD));
}

/** All of the words must occur in a text. */
const quotedWords = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(' ');

/** The last word is a prefix. */
const begun = (words: readonly string[]): string => `${quotedWords(words)}*`;

/**
 * Searches for whole words, which is fast however common they are. Without a match, the last word is treated
 * as a prefix still being typed. A later page repeats the same choice: it has rows exactly if the whole-word
 * search did.
 */
export function matchAll<Row>(words: readonly string[], ask: (match: string) => Row[]): Row[] {
  if (words.length === 0) return [];
  const found = ask(quotedWords(words));
  const last = words.at(-1) ?? '';
  return found.length > 0 || last.length < MIN_BEGINNING ? found : ask(begun(words));
}
