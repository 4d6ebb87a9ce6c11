import { ok, type Result } from '@contract/result';
import { type FoundReference, referenceAt } from './reference';

/** A template's pieces: literal text, and references. */
export type Piece = { readonly text: string } | { readonly found: FoundReference };

/**
 * Splits a text template in one pass. A backslash before a reference makes it literal text, two stand for one
 * backslash; elsewhere backslashes and dollar signs are literal.
 */
export function piecesOf(template: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = template.indexOf('$'); at >= 0; ) {
    const found = referenceAt(template, at);
    if (found === null) {
      at = template.indexOf('$', at + 1);
      continue;
    }
    const slashes = backslashesBefore(template, at, from);
    const text = template.slice(from, at - Math.ceil(slashes / 2));
    if (text !== '') pieces.push({ text });
    if (slashes % 2 === 1) pieces.push({ text: template.slice(found.start, found.end) });
    else pieces.push({ found });
    from = found.end;
    at = template.indexOf('$', from);
  }
  if (from < template.length) pieces.push({ text: template.slice(from) });
  return pieces;
}

/** A template whose result is exactly this text, so that nothing a person typed is expanded. */
export function literalText(text: string): string {
  let made = '';
  let from = 0;
  for (let at = text.indexOf('$'); at >= 0; at = text.indexOf('$', Math.max(at + 1, from))) {
    const found = referenceAt(text, at);
    if (found === null) continue;
    const slashes = backslashesBefore(text, at, from);
    made += `${text.slice(from, at)}${'\\'.repeat(slashes + 1)}${text.slice(at, found.end)}`;
    from = found.end;
  }
  return made + text.slice(from);
}

function backslashesBefore(text: string, at: number, from: number): number {
  let count = 0;
  while (at - count > from && text[at - count - 1] === '\\') count += 1;
  return count;
}

/** A template's text. Values are inserted unchanged and never scanned. */
export function expandText(
  pieces: readonly Piece[],
  lookup: (found: FoundReference) => Result<string>,
): Result<string> {
  const parts: string[] = [];
  for (const piece of pieces) {
    if ('text' in piece) {
      parts.push(piece.text);
      continue;
    }
    const value = lookup(piece.found);
    if (!value.ok) return value;
    parts.push(value.value);
  }
  return ok(parts.join(''));
}
