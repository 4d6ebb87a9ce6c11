import { forEachChild, type ParsedScript, parse, type SyntaxNode } from 'unbash';
import { type FoundReference, referenceAt } from '../reference';

export { forEachChild, type SyntaxNode } from 'unbash';
export type Node<T extends SyntaxNode['type']> = Extract<SyntaxNode, { type: T }>;

export interface ReadScript {
  readonly text: string;
  readonly tree: ParsedScript;
  /** Everything that looks like a reference, by the offset of its `$`: in comments and quotes too. */
  readonly references: ReadonlyMap<number, FoundReference>;
  /** Where the syntax cannot be read, with the reason. */
  readonly errors: readonly { readonly pos: number; readonly message: string }[];
}

/** Reads a bash script in which each reference stands for one expansion of the same length. */
export function readScript(text: string): ReadScript {
  const references = new Map<number, FoundReference>();
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf('$'); at >= 0; at = text.indexOf('$', Math.max(from, at + 1))) {
    const found = referenceAt(text, at);
    if (found === null) continue;
    references.set(at, found);
    parts.push(text.slice(from, at), '$', 'R'.repeat(found.end - at - 1));
    from = found.end;
  }
  const tree = parse(parts.join('') + text.slice(from));
  return { text, tree, references, errors: references.size === 0 ? [] : errorsIn(tree) };
}

function errorsIn(tree: ParsedScript): ReadScript['errors'] {
  const found: ReadScript['errors'][number][] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Script' && 'errors' in node) found.push(...(node.errors ?? []));
    forEachChild(node, visit);
  };
  visit(tree);
  return found;
}
