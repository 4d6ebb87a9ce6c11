/** A claim with its supporting quote. */
interface Claim {
  readonly claim: string;
  readonly quote: string;
}

/** With the position of its quote: offsets in the original input. */
interface PlacedClaim extends Claim {
  readonly start: number;
  readonly end: number;
}

interface CheckedClaims {
  readonly claims: readonly PlacedClaim[];
  /** Claims whose quotes do not occur in the input. */
  readonly unsupported: readonly Claim[];
}

/** Looks for every quote in the input. Only white space may differ. */
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

/** The text with each run of white space as one blank, and the original offset of every character. */
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
