import { type Document, isMap, isScalar, isSeq } from 'yaml';

/** The position of a scalar at a path such as `steps[1].config.re_prompts[0]`. */
function scalarAt(document: Document, path: string) {
  let node: unknown = document.contents;
  for (const part of path.match(/\[\d+\]|[^.[\]]+/g) ?? []) {
    if (isSeq(node)) node = node.items[Number(part.slice(1, -1))];
    else if (isMap(node)) node = node.get(part, true);
    else return null;
  }
  return isScalar(node) && typeof node.value === 'string' ? { text: node.value, range: node.range } : null;
}

/**
 * The offset in the file of a position in a text. YAML folds lines and escapes characters, so the word at
 * that position is searched in the file, by its number of earlier occurrences.
 */
export function offsetInText(
  { document, text: file }: { document: Document; text: string },
  path: string,
  offset: number,
): number | null {
  const found = scalarAt(document, path);
  if (found?.range == null) return null;
  const { text, range } = found;
  const word = /^[^\s'"\\]+/.exec(text.slice(offset, offset + 200))?.[0];
  if (word === undefined) return null;
  let at = range[0] - 1;
  for (let seen = text.indexOf(word); ; seen = text.indexOf(word, seen + 1)) {
    at = file.indexOf(word, at + 1);
    if (at < 0 || at >= range[1]) return null;
    if (seen === offset || seen < 0) return seen < 0 ? null : at;
  }
}
