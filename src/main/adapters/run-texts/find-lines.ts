import { literalPattern } from '@contract/literal-pattern';

/** Characters searched before yielding to other work. */
const SLICE = 256 * 1024;
/** Only the beginning of a quotation is compared: models shorten the rest. */
const MOST_CHARS = 60;
/** Maximum length of a match: its characters, and white space in between. */
const OVERLAP = 2_000;

/** The line (from 1) on which each text begins within a text read in pieces; null if not found. */
export async function linesOf(
  pieces: Iterable<string> | AsyncIterable<string>,
  wanted: readonly string[],
): Promise<(number | null)[]> {
  const patterns = wanted.map(patternOf);
  const found: (number | null)[] = wanted.map(() => null);
  let line = 1;
  let rest = '';
  const search = async (): Promise<void> => {
    const slice = rest.slice(0, SLICE + OVERLAP);
    for (const [index, pattern] of patterns.entries()) {
      if (found[index] !== null) continue;
      const place = slice.search(pattern);
      if (place >= 0) found[index] = line + breaksIn(slice.slice(0, place));
    }
    line += breaksIn(rest.slice(0, SLICE));
    rest = rest.slice(SLICE);
    await new Promise((resolve) => setImmediate(resolve));
  };
  for await (const piece of pieces) {
    rest += piece;
    while (rest.length >= SLICE + OVERLAP) await search();
  }
  while (rest !== '') await search();
  return found;
}

function patternOf(wanted: string): RegExp {
  const words = Array.from(wanted.trim()).slice(0, MOST_CHARS).join('').trim().split(/\s+/u);
  // Bounded, so that white space of any length is searched in linear time.
  return new RegExp(words.map(literalPattern).join('\\s{1,20}'), 'iu');
}

const breaksIn = (text: string): number => text.split('\n').length - 1;
