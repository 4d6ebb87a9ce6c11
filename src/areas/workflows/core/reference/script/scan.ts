import type { PlacedReference, Quoting } from './place';
import { forEachChild, type Node, type ReadScript, readScript, type SyntaxNode } from './syntax';

/** Finds the references in a bash script that are not in comments or escaped, with their quoting contexts. */
export function scanScript(script: string): readonly PlacedReference[] {
  return placesIn(readScript(script));
}

function placesIn(script: ReadScript): readonly PlacedReference[] {
  if (script.references.size === 0) return [];
  const places = new Places(script);
  places.visit(script.tree, { quoting: 'bare', inBackquotes: false });
  return places.placed.toSorted((a, b) => a.found.start - b.found.start);
}

interface Around {
  readonly quoting: Quoting;
  readonly inBackquotes: boolean;
}

class Places {
  readonly placed: PlacedReference[] = [];

  constructor(private readonly script: ReadScript) {}

  visit(node: SyntaxNode, around: Around): void {
    switch (node.type) {
      case 'SimpleExpansion':
        return this.place(node.pos, around.quoting);
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        return this.placeAll(node, 'single');
      case 'DoubleQuoted':
      case 'LocaleString':
        return this.inside(node, around.quoting === 'bare' ? { ...around, quoting: 'double' } : around);
      case 'HereDoc':
        return this.hereDocument(node, around);
      case 'ParameterExpansion':
        return this.parameter(node, around);
      case 'ArithmeticCommand':
        return node.expression === undefined
          ? this.placeAll(node, 'arithmetic')
          : this.visit(node.expression, { ...around, quoting: 'arithmetic' });
      case 'ArithmeticExpansion':
        return node.expression === undefined
          ? this.placeAll(node, 'arithmetic')
          : this.visit(node.expression, { ...around, quoting: 'arithmetic' });
      case 'ArithmeticFor':
        return this.arithmeticFor(node, around);
      case 'ArithmeticWord':
        return node.parts === undefined
          ? this.placeAll(node, 'arithmetic')
          : this.inside(node, { ...around, quoting: 'arithmetic' });
      case 'CommandExpansion':
      case 'ProcessSubstitution':
      case 'ArithmeticCommandExpansion':
        return this.commands(node, around);
      case 'Assignment':
        if (node.index !== undefined) this.visit(node.index, { ...around, quoting: 'arithmetic' });
        return this.visit(node.value, around);
      case 'ArrayValue':
        for (const element of node.elements) this.element(element, around);
        return;
      default:
        return this.inside(node, around);
    }
  }

  private inside(node: SyntaxNode, around: Around): void {
    forEachChild(node, (child) => this.visit(child, around));
  }

  private place(start: number, quoting: Quoting): void {
    const found = this.script.references.get(start);
    if (found !== undefined) this.placed.push({ found, quoting });
  }

  private placeAll({ pos, end }: { pos: number; end: number }, quoting: Quoting): void {
    for (const [start, found] of this.script.references)
      if (start >= pos && start < end) this.placed.push({ found, quoting });
  }

  private hereDocument({ delimiter, body }: Node<'HereDoc'>, around: Around): void {
    if (delimiter?.quoted === true) this.placeAll(body, 'quoted-here-document');
    else this.inside(body, { ...around, quoting: 'here-document' });
  }

  private parameter({ index, operation }: Node<'ParameterExpansion'>, around: Around): void {
    if (index !== undefined) this.visit(index, { ...around, quoting: 'arithmetic' });
    if (operation === undefined) return;
    const quoting = operation.type === 'Slice' ? 'arithmetic' : 'expansion';
    this.visit(operation, { ...around, quoting });
  }

  private arithmeticFor({ initialize, test, update, body }: Node<'ArithmeticFor'>, around: Around): void {
    for (const one of [initialize, test, update])
      if (one !== undefined) this.visit(one, { ...around, quoting: 'arithmetic' });
    this.visit(body, around);
  }

  /** Quotes begin again in a substitution; in nested or quoted backquotes they have no defined meaning. */
  private commands(
    node: Node<'CommandExpansion' | 'ProcessSubstitution' | 'ArithmeticCommandExpansion'>,
    { quoting, inBackquotes }: Around,
  ): void {
    const isBackquoted = node.text.startsWith('`');
    const { script } = node;
    if (script === undefined) return this.placeAll(node, 'expansion');
    if (isBackquoted && (quoting !== 'bare' || inBackquotes || script.source !== undefined))
      return this.placeAll(node, 'backquotes');
    this.visit(script, { quoting: 'bare', inBackquotes: inBackquotes || isBackquoted });
  }

  /** An element of an array: `[index]=value` or a value. */
  private element(node: Node<'Word'>, around: Around): void {
    const border = node.text.startsWith('[') ? node.pos + node.text.indexOf(']=') : -1;
    forEachChild(node, (child) =>
      this.visit(child, child.pos < border ? { ...around, quoting: 'arithmetic' } : around),
    );
  }
}
