/** A claim with the words that it rests on. */
export interface Claim {
  readonly claim: string;
  readonly quote: string;
}

/** With the place of its quote: offsets in the input as it came in. */
export interface PlacedClaim extends Claim {
  readonly start: number;
  readonly end: number;
}

export interface CheckedClaims {
  readonly claims: readonly PlacedClaim[];
  /** Their quotes are not in the input. */
  readonly unsupported: readonly Claim[];
}

/** Looks for every quote in the input. Breaks of lines and blanks may differ, and nothing else. */
export function checkQuotes(input: string, claims: readonly Claim[]): CheckedClaims {
  const { text, starts } = squeezed(input);
  const found: PlacedClaim[] = [];
  const unsupported: Claim[] = [];
  for (const one of claims) {
    const quote = squeezed(one.quote).text.trim();
    const at = quote === '' ? -1 : text.indexOf(quote);
    if (at < 0) unsupported.push(one);
    else found.push({ ...one, start: starts[at] ?? 0, end: (starts[at + quote.length - 1] ?? 0) + 1 });
  }
  return { claims: found, unsupported };
}

/** Each run of blanks as one, with the offset in the original of every character. */
function squeezed(original: string): { text: string; starts: readonly number[] } {
  const parts: string[] = [];
  const starts: number[] = [];
  let blank = false;
  for (let at = 0; at < original.length; at += 1) {
    const char = original[at] ?? '';
    const isBlank = /\s/.test(char);
    if (isBlank && blank) continue;
    blank = isBlank;
    parts.push(isBlank ? ' ' : char);
    starts.push(at);
  }
  return { text: parts.join(''), starts };
}
