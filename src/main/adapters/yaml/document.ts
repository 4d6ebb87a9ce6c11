import type { Problem } from '@contract/errors';
import { type Document, isMap, isNode, isPair, isSeq, LineCounter, parseDocument } from 'yaml';
import type { DocumentReader, ParsedDocument } from '../../core/ports/documents';

/** `steps[1].config.re_prompts[0]` as its parts. */
function partsOf(path: string): (string | number)[] {
  return [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map((match) =>
    match[2] === undefined ? (match[1] ?? '') : Number(match[2]),
  );
}

/** Offset of the deepest part of the path that stands in the document; an unknown key is found by its own name. */
function offsetOf(document: Document, parts: readonly (string | number)[]): number | null {
  let node: unknown = document.contents;
  let offset: number | null = isNode(node) ? (node.range?.[0] ?? null) : null;
  for (const part of parts) {
    let next: unknown = null;
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isPair(item) && isNode(item.key) && String(item.key) === String(part),
      );
      if (pair === undefined) break;
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      next = pair.value;
    } else if (isSeq(node) && typeof part === 'number') {
      next = node.items[part];
      if (isNode(next)) offset = next.range?.[0] ?? offset;
    }
    if (next === null || next === undefined) break;
    node = next;
  }
  return offset;
}

/** Reads YAML 1.2; duplicate keys and bad indentation are errors with their line. */
export const yamlReader: DocumentReader = {
  parse(text, file): ParsedDocument {
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const problems = document.errors.map((error): Problem => {
      const { line, col } = lines.linePos(error.pos[0]);
      return {
        code: 'validation.yaml',
        severity: 'error',
        message: error.message,
        where: { file, line, column: col },
        mend: 'mend the YAML at this line',
      };
    });
    const lineOf = (path: string): number | null => {
      const offset = offsetOf(document, partsOf(path));
      return offset === null ? null : lines.linePos(offset).line;
    };
    return { value: problems.length > 0 ? null : document.toJS({ maxAliasCount: 100 }), problems, lineOf };
  },
};
