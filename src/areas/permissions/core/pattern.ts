interface Token {
  /** A literal character; null stands for any characters. */
  readonly literal: string | null;
}

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at] ?? '';
    const next = pattern[at + 1];
    if (char === '\\' && next !== undefined) {
      tokens.push({ literal: next });
      at += 1;
    } else tokens.push({ literal: char === '*' ? null : char });
  }
  return tokens;
}

/**
 * Whether `pattern` matches the whole of `text`: `*` matches any characters, including none, and `\` escapes
 * the next one. Not a regular expression, so that no pattern takes longer than its length times the text's.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  return greedy(tokensOf(pattern), [...charactersOf(text)], {
    isAny: (token) => token.literal === null,
    fits: (token, char) => token.literal === char,
  });
}

/** By UTF-16 code unit, like patterns. */
function* charactersOf(text: string): Iterable<string> {
  for (let at = 0; at < text.length; at += 1) yield text[at] ?? '';
}

/** A pattern that matches only `text`. */
export const escapePattern = (text: string): string => text.replace(/[\\*]/g, '\\$&');

interface How<P, T> {
  readonly isAny: (part: P) => boolean;
  readonly fits: (part: P, item: T) => boolean;
}

/** Greedy matching with backtracking: at a mismatch the last wildcard takes one more item. */
export function greedy<P, T>(pattern: readonly P[], items: readonly T[], how: How<P, T>): boolean {
  let [p, i] = [0, 0];
  let any: { p: number; i: number } | null = null;
  while (i < items.length) {
    const part = pattern[p];
    if (part !== undefined && how.isAny(part)) {
      any = { p, i };
      p += 1;
    } else if (part !== undefined && how.fits(part, items[i] as T)) {
      p += 1;
      i += 1;
    } else if (any !== null) {
      any = { p: any.p, i: any.i + 1 };
      p = any.p + 1;
      i = any.i;
    } else return false;
  }
  return pattern.slice(p).every(how.isAny);
}
