/** The most words of a search that are looked for, and the longest of them. */
const MAX_WORDS = 12;
const MAX_WORD = 64;
/** Shorter beginnings would stand for half the dictionary. */
const MIN_BEGINNING = 3;

/**
 * The words of what a person typed, cut as the index cuts them: letters, numbers and marks belong to a word, anything
 * else separates. So none of FTS5's own signs is left that could be an error or mean something.
 */
export function wordsOf(text: string): string[] {
  const words = text.normalize('NFC').match(/[\p{L}\p{N}\p{Co}\p{Mn}\p{Mc}]+/gu) ?? [];
  return [...new Set(words)].slice(0, MAX_WORDS).map((word) => word.slice(0, MAX_WORD));
}

/** All of the words must be in a text. */
const whole = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(' ');

/** The last word is only begun. */
const begun = (words: readonly string[]): string => `${whole(words)}*`;

/**
 * Asks for whole words, which is fast however common they are. Where there is nothing, the last word is taken for one
 * that is still being typed. A later page finds the same way again: it has rows exactly if this one said so.
 */
export function matchAll<Row>(words: readonly string[], ask: (match: string) => Row[]): Row[] {
  if (words.length === 0) return [];
  const found = ask(whole(words));
  const last = words.at(-1) ?? '';
  return found.length > 0 || last.length < MIN_BEGINNING ? found : ask(begun(words));
}
