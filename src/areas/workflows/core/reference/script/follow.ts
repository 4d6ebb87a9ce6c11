import { basename } from './basename';
import { builtin, declares, type Evaluated } from './builtins';
import {
  argumentsKey,
  type Carried,
  fileKey,
  Held,
  inputKey,
  joined,
  NOTHING,
  outputKey,
  type Within,
} from './carried';
import { type Arg, assigned, examine } from './commands';
import { forEachChild, type Node, type ReadScript, type SyntaxNode } from './syntax';

/** A reference whose text becomes code: evaluated by the shell, or run by a program. */
export interface Danger {
  readonly offset: number;
  /** The variable, function or file through which it gets there; null: directly. */
  readonly through: string | null;
  readonly evaluated: Evaluated | null;
  readonly how: string;
}

/** More than the longest chain of variables in a script of a person. */
const MOST_PASSES = 12;

const EVALUATED: Record<Evaluated, string> = {
  arithmetic: 'is in arithmetic, where the shell would run commands in its text',
  name: 'is read as the name of a variable, and the shell would run commands in an index there',
  code: 'is run as code by the shell itself',
  value: 'is the value of a variable that the shell evaluates: an integer, an array or a reference to a name',
};

/** Follows the texts of references through a script, to everything that evaluates or runs them. */
export function dangersIn(script: ReadScript): readonly Danger[] {
  if (script.references.size === 0) return [];
  const held = new Held(script.references);
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    held.grown = false;
    const follower = new Follower(held);
    follower.visit(script.tree, { name: null, input: NOTHING });
    if (!held.grown || pass === MOST_PASSES - 1) return follower.dangers;
  }
  return [];
}

interface Place extends Within {
  /** What a command writes into a `>(...)` among its words. */
  readonly written?: Carried;
}

class Follower {
  readonly dangers: Danger[] = [];

  constructor(private readonly held: Held) {}

  visit(node: SyntaxNode, place: Place): void {
    switch (node.type) {
      case 'Pipeline':
        return this.pipeline(node, place);
      case 'Command':
        return this.command(node, place);
      case 'Redirected':
        return this.redirected(node, place);
      case 'Function':
        return this.defined(node, place);
      case 'For':
      case 'Select':
        this.assign(node.name.value, this.listed(node, place));
        return this.inside(node, place);
      case 'ArithmeticExpansion':
      case 'ArithmeticCommand':
        if (node.expression !== undefined) this.arithmetic(node.expression, place);
        return this.inside(node, place);
      case 'ArithmeticFor':
        for (const one of [node.initialize, node.test, node.update])
          if (one !== undefined) this.arithmetic(one, place);
        return this.inside(node, place);
      case 'TestUnary':
        if (/^-[vR]$/.test(node.operator)) this.refuse(this.held.in(node.operand, place), 'name');
        return this.inside(node, place);
      case 'TestBinary':
        if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator))
          for (const side of [node.left, node.right]) {
            this.arithmetic(side, place);
            this.refuse(this.held.in(side, place), 'arithmetic');
          }
        return this.inside(node, place);
      case 'ParameterExpansion':
        return this.parameter(node, place);
      case 'Assignment':
        return this.assignment(node, place);
      case 'ProcessSubstitution':
        return this.inside(
          node,
          node.operator === '>' ? { ...place, input: place.written ?? NOTHING } : place,
        );
      default:
        return this.inside(node, place);
    }
  }

  private inside(node: SyntaxNode, place: Place): void {
    forEachChild(node, (child) => this.visit(child, place));
  }

  private defined({ name: { value: name }, body }: Node<'Function'>, place: Place): void {
    const inner = { name, input: joined(place.input, this.held.of(inputKey(name))) };
    this.visit(body, inner);
    this.held.keep(outputKey(name), this.held.in(body, inner), `the function ${name}`);
  }

  private refuse(carried: Carried, evaluated: Evaluated): void {
    for (const [offset, through] of carried)
      this.dangers.push({ offset, through, evaluated, how: EVALUATED[evaluated] });
  }

  private warn(carried: Carried, how: string): void {
    for (const [offset, through] of carried) this.dangers.push({ offset, through, evaluated: null, how });
  }

  private arithmetic(node: SyntaxNode, place: Place): void {
    this.refuse(this.held.inArithmetic(node, place), 'arithmetic');
  }

  private assign(name: string, carried: Carried): void {
    this.held.setVariable(name, carried);
    if (this.held.isEvaluated(name)) this.refuse(carried, 'value');
  }

  private listed({ wordlist }: Node<'For' | 'Select'>, place: Place): Carried {
    return wordlist === undefined
      ? this.held.of(argumentsKey(place.name))
      : joined(...wordlist.map((word) => this.held.in(word, place)));
  }

  private pipeline(node: Node<'Pipeline'>, place: Place): void {
    let { input } = place;
    for (const command of node.commands) {
      this.visit(command, { ...place, input });
      input = this.held.in(command, { ...place, input });
    }
  }

  private redirected(node: Node<'Redirected'>, place: Place): void {
    const input = this.inputOf(node.redirects, place);
    const written = this.held.in(node.command, { ...place, input });
    this.visit(node.command, { ...place, input });
    this.redirects(node.redirects, { ...place, written });
  }

  /** What a command reads on standard input, after its redirections. */
  private inputOf(redirects: Node<'Command'>['redirects'], place: Place): Carried {
    let { input } = place;
    for (const one of redirects) {
      const from = one.descriptor?.type === 'FileDescriptor' ? one.descriptor.value : 0;
      const reads = one.type !== 'Redirect' || one.operator === '<' || one.operator === '<>';
      if (!reads) continue;
      const text = one.type === 'HereDoc' ? one : one.target;
      const carried = text === undefined ? NOTHING : this.held.in(text, place);
      // Where a text comes in by another number, it can be moved to standard input later.
      if (one.type !== 'Redirect' || isSubstituted(one.target))
        input = from === 0 ? carried : joined(input, carried);
      else if (from === 0) input = this.held.of(fileKey(one.target?.value ?? ''));
    }
    return input;
  }

  private redirects(redirects: Node<'Command'>['redirects'], place: Place): void {
    for (const one of redirects) {
      this.visit(one, place);
      if (one.type === 'Redirect' && /^(?:>|>>|>\||&>|&>>)$/.test(one.operator) && one.target !== undefined)
        this.keepFile(one.target.value, place.written ?? NOTHING);
    }
  }

  private keepFile(path: string, carried: Carried): void {
    if (!path.startsWith('/dev/')) this.held.keep(fileKey(path), carried, `the file ${path}`);
  }

  private parameter(node: Node<'ParameterExpansion'>, place: Place): void {
    const { parameter, prefix, index, operation } = node;
    const value = this.held.variable(parameter, place.name);
    if (prefix === '!') this.refuse(value, 'name');
    if (operation?.type === 'Transform' && operation.operand.value === 'P') this.refuse(value, 'code');
    if (index !== undefined) this.arithmetic(index, place);
    if (operation?.type === 'Slice') this.arithmetic(operation, place);
    this.inside(node, place);
  }

  private assignment(node: Node<'Assignment'>, place: Place): void {
    const carried = this.held.in(node.value, place);
    if (node.index !== undefined) this.arithmetic(node.index, place);
    if (node.value.type === 'ArrayValue')
      for (const element of node.value.elements)
        for (const part of indexOf(element)) this.arithmetic(part, place);
    if (node.value.type === 'ArrayValue' || node.index !== undefined)
      this.held.setVariable(node.name, carried);
    else this.assign(node.name, carried);
    if (this.held.isEvaluated(node.name)) this.refuse(this.held.inArithmetic(node.value, place), 'value');
    assigned(`${node.name}=`, carried, (texts, how) => this.warn(texts, how));
    this.inside(node, place);
  }

  private command(node: Node<'Command'>, place: Place): void {
    const input = this.inputOf(node.redirects, place);
    const inner = { ...place, input };
    const written = this.held.in(node, inner);
    for (const one of node.prefix) if (one.type === 'Assignment') this.visit(one, place);
    const words = [...(node.name === undefined ? [] : [node.name]), ...node.args];
    const args = words.map((word) => this.argOf(word, inner));
    for (const word of words) this.visit(word, { ...place, input, written });
    this.redirects(node.redirects, { ...place, written });
    const [first, ...rest] = args;
    if (first === undefined) return;
    examine({ args, input }, (texts, how) => this.warn(texts, how));
    const name = withoutPrefix(args);
    builtin({ ...name, input }, (texts, evaluated) => this.refuse(texts, evaluated));
    this.remember(node, { args: rest, name: first.text ?? '', input, place });
    if (name.name === 'let') for (const word of node.args) this.arithmetic(word, inner);
    if (name.name === 'make')
      for (const one of node.prefix)
        if (one.type === 'Assignment')
          this.warn(this.held.in(one, place), 'is a variable of make, which expands and runs it');
  }

  /** What the command puts into variables, functions and files. */
  private remember(
    node: Node<'Command'>,
    { args, name, input, place }: { args: readonly Arg[]; name: string; input: Carried; place: Place },
  ): void {
    const all = joined(...args.map(({ carried }) => carried));
    this.held.keep(argumentsKey(name), all, `the arguments of ${name}`);
    this.held.keep(inputKey(name), input, `the input of ${name}`);
    const declared = declares(name, args);
    for (const word of node.args) {
      const variable = /^[A-Za-z_]\w*(?==|$|\+)/.exec(
        word.type === 'Assignment' ? word.name : word.value,
      )?.[0];
      if (variable === undefined) continue;
      if (declared?.evaluates === true) this.held.setEvaluated(variable);
      if (declared !== null && word.type === 'Word') this.assign(variable, this.held.in(word, place));
      if (declared?.evaluates === true && word.type === 'Assignment' && word.value.type === 'Word')
        this.refuse(this.held.in(word.value, place), 'value');
      if (/^(?:read|mapfile|readarray)$/.test(name)) this.assign(variable, input);
    }
    if (name === 'read') this.held.setVariable('REPLY', input);
    if (/^(?:mapfile|readarray)$/.test(name)) this.held.setVariable('MAPFILE', input);
    if (name === 'set') this.held.keep(argumentsKey(place.name), all, 'the arguments of set');
    if (name === 'printf' && args[0]?.text === '-v') this.assign(args[1]?.text ?? '', all);
    if (name === 'tee') for (const { text } of args) if (text !== null) this.keepFile(text, input);
  }

  private argOf(word: Node<'Word'> | Node<'Assignment'>, place: Place): Arg {
    const value = word.type === 'Word' ? word.value : word.text;
    const [lead = ''] = /^[^$`<>]*/.exec(value) ?? [];
    const isLiteral = word.type === 'Word' && isLiteralWord(word);
    const carried = this.held.in(word, place);
    const splits = carried.size > 0 && word.type === 'Word' && this.isSplit(word);
    return { text: isLiteral ? value : null, lead: isLiteral ? value : lead, carried, splits };
  }

  /** Muster quotes a reference; the shell splits other expansions outside of quotes. */
  private isSplit({ parts = [] }: Node<'Word'>): boolean {
    return parts.some(
      (part) =>
        part.type === 'CommandExpansion' ||
        part.type === 'ParameterExpansion' ||
        (part.type === 'SimpleExpansion' && !this.held.references.has(part.pos)),
    );
  }
}

/** The parts of the index in an element `[index]=value`. */
function indexOf(element: Node<'Word'>): readonly SyntaxNode[] {
  const border = element.text.startsWith('[') ? element.pos + element.text.indexOf(']=') : -1;
  return (element.parts ?? []).filter(({ pos }) => pos < border);
}

const isSubstituted = (word: Node<'Word'> | undefined): boolean =>
  word?.parts?.some(({ type }) => type === 'ProcessSubstitution') === true;

function isLiteralWord(word: Node<'Word'>): boolean {
  return (word.parts ?? []).every(
    (part) =>
      part.type === 'Literal' ||
      part.type === 'SingleQuoted' ||
      part.type === 'AnsiCQuoted' ||
      (part.type === 'DoubleQuoted' && part.parts.every(({ type }) => type === 'Literal')),
  );
}

/** A builtin behind `command` or `builtin` is still one. */
function withoutPrefix(args: readonly Arg[]): { name: string; args: readonly Arg[] } {
  const at = args.findIndex(({ text }) => text === null || !/^(?:command|builtin|-p|--)$/.test(text));
  const [first, ...rest] = at < 0 ? args : args.slice(at);
  return { name: basename(first?.text ?? ''), args: rest };
}
