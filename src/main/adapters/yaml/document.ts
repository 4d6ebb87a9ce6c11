import type { Problem } from '@contract/errors';
import { type Document, isMap, isNode, isPair, isSeq, type Pair, type YAMLMap } from 'yaml';
import type { DocumentReader, ParsedDocument } from '../../core/ports/documents';
import { nulOffset } from './nul';
import { parsedText } from './parsed-texts';
import { offsetInText } from './text-offset';

/** The entry whose key the path begins with; the longest of several, because a key may contain dots. */
function entryOf(map: YAMLMap, path: string): { pair: Pair; rest: string } | null {
  let found: { pair: Pair; rest: string } | null = null;
  for (const pair of map.items) {
    if (!isPair(pair) || !isNode(pair.key)) continue;
    const key = String(pair.key);
    if (!path.startsWith(key) || !/^$|^[.[]/.test(path.slice(key.length))) continue;
    const rest = path.slice(key.length).replace(/^\./, '');
    if (found === null || rest.length < found.rest.length) found = { pair, rest };
  }
  return found;
}

/**
 * Offset of the deepest existing part of the path (`steps[1].config.re_prompts[0]`); an unknown key is found
 * by its own name.
 */
function offsetOf(document: Document, path: string): number | null {
  let node: unknown = document.contents;
  let offset: number | null = isNode(node) ? (node.range?.[0] ?? null) : null;
  for (let rest = path; rest !== ''; ) {
    if (isMap(node)) {
      const entry = entryOf(node, rest);
      if (entry === null) break;
      const { key, value } = entry.pair;
      if (isNode(key)) offset = key.range?.[0] ?? offset;
      node = value;
      rest = entry.rest;
    } else if (isSeq(node)) {
      const index = /^\[(\d+)\]\.?/.exec(rest);
      node = index === null ? null : node.items[Number(index[1])];
      if (index === null || !isNode(node)) break;
      offset = node.range?.[0] ?? offset;
      rest = rest.slice(index[0].length);
    } else break;
  }
  return offset;
}

/** Reads YAML 1.2; duplicate keys, bad indentation and undefined aliases are errors with their line. */
export const yamlReader: DocumentReader = {
  parse(text, file): ParsedDocument {
    const { document, lines, meaning } = parsedText(text);
    const problemAt = (offset: number, message: string, mend: string): Problem => {
      const { line, col: column } = lines.linePos(offset);
      return { code: 'validation.yaml', severity: 'error', message, where: { file, line, column }, mend };
    };
    const startOf: ParsedDocument['startOf'] = (path) => {
      const offset = offsetOf(document, path);
      if (offset === null) return null;
      const { line, col: column } = lines.linePos(offset);
      return { line, column };
    };
    const lineOf = (path: string): number | null => startOf(path)?.line ?? null;
    const placeOf: ParsedDocument['placeOf'] = (path, offset) => {
      const found = offsetInText({ document, text }, path, offset);
      if (found === null) return null;
      const { line, col: column } = lines.linePos(found);
      return { line, column };
    };
    const broken = document.errors.map(({ pos, message }) =>
      problemAt(pos[0], message, 'correct the YAML at this line; check indentation, quotes and colons'),
    );
    const nul = nulOffset(text, document);
    if (nul !== null) broken.push(problemAt(nul, 'a text contains the NUL character', 'remove it'));
    if (broken.length > 0) return { value: null, problems: broken, lineOf, startOf, placeOf };
    const { value, troubles } = meaning;
    const problems = troubles.map(({ offset, message, mend }) => problemAt(offset, message, mend));
    return { value, problems, lineOf, startOf, placeOf };
  },
};
