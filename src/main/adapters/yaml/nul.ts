import { type Document, visit } from 'yaml';

/** The NUL character, or an escape for it. */
const MAY_BE_NUL = /\0|\\(?:0|x00|u0000|U00000000)/;

/**
 * The first text with a NUL character, which cannot be passed to programs: shells and environments drop it or
 * stop there.
 */
export function nulOffset(text: string, document: Document): number | null {
  if (!MAY_BE_NUL.test(text)) return null;
  let found: number | null = null;
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value !== 'string' || !node.value.includes('\0')) return undefined;
      found = node.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return found;
}
