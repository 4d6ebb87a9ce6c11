import type { FoundReference } from '../reference';
import { countsOnly, readsNothing } from './programs';
import { forEachChild, type Node, type SyntaxNode } from './syntax';

/** References whose text a part of a script can hold, by offset: directly, or through something that is named. */
export type Carried = ReadonlyMap<number, string | null>;

export const NOTHING: Carried = new Map();

export function joined(...all: readonly Carried[]): Carried {
  const full = all.filter(({ size }) => size > 0);
  const [first = NOTHING] = full;
  if (full.length < 2) return first;
  const whole = new Map<number, string | null>();
  for (const one of full)
    for (const [offset, through] of one)
      if (through === null || !whole.has(offset)) whole.set(offset, through);
  return whole;
}

/** Where a part of the script stands. */
export interface Within {
  /** The function that contains it. */
  readonly name: string | null;
  /** What it can read on standard input. */
  readonly input: Carried;
}

export const fileKey = (path: string): string => `file:${path.replace(/^(?:\.\/)+/, '')}`;
export const argumentsKey = (name: string | null): string => `arguments:${name ?? ''}`;
export const outputKey = (name: string): string => `output:${name}`;
export const inputKey = (name: string): string => `input:${name}`;

/** Names and arguments in arithmetic; a reference there is a name that only `syntax.ts` writes. */
const NAMES = /\$\{?([0-9]+|[@*])|([A-Za-z_]\w*)/g;
const PLACEHOLDER = /^R{4,}$/;

/** What variables, arguments and files of the script can hold, whatever the order in which it runs. */
export class Held {
  private readonly texts = new Map<string, Map<number, string>>();
  /** Variables whose values the shell evaluates: integers, arrays and references to other names. */
  private readonly evaluatedNames = new Set<string>();
  grown = false;

  constructor(readonly references: ReadonlyMap<number, FoundReference>) {}

  of(key: string): Carried {
    return this.texts.get(key) ?? NOTHING;
  }

  variable(name: string, within: string | null): Carried {
    return this.of(/^(?:[0-9]+|[@*])$/.test(name) ? argumentsKey(within) : name);
  }

  keep(key: string, carried: Carried, through: string): void {
    if (carried.size === 0) return;
    const texts = this.texts.get(key) ?? new Map<number, string>();
    this.texts.set(key, texts);
    for (const offset of carried.keys()) {
      if (texts.has(offset)) continue;
      texts.set(offset, through);
      this.grown = true;
    }
  }

  setVariable(name: string, carried: Carried): void {
    this.keep(name, carried, `the variable ${name}`);
  }

  setEvaluated(name: string): void {
    if (this.evaluatedNames.has(name)) return;
    this.evaluatedNames.add(name);
    this.grown = true;
  }

  isEvaluated(name: string): boolean {
    return this.evaluatedNames.has(name);
  }

  /** The value of a part of the script, or the output of its commands. */
  in(node: SyntaxNode, within: Within): Carried {
    switch (node.type) {
      case 'SimpleExpansion':
        return this.references.has(node.pos)
          ? new Map([[node.pos, null]])
          : this.variable(node.text.slice(1), within.name);
      case 'ParameterExpansion':
        return node.prefix === '#'
          ? NOTHING
          : joined(this.parameter(node, within), this.inside(node, within));
      case 'Word':
        return node.parts === undefined ? this.of(fileKey(node.value)) : this.inside(node, within);
      case 'ArithmeticExpansion':
      case 'Function':
        return NOTHING;
      case 'HereDoc':
        return node.delimiter?.quoted === true ? NOTHING : this.inside(node.body, within);
      case 'Pipeline':
        return countsOnly(node.commands.at(-1)) ? NOTHING : this.inside(node, within);
      case 'Command':
        if (countsOnly(node)) return NOTHING;
        return joined(
          this.inside(node, within),
          readsNothing(node) ? NOTHING : within.input,
          this.of(outputKey(node.name?.value ?? '')),
        );
      default:
        return this.inside(node, within);
    }
  }

  /** In arithmetic a name is read as the expression that it holds. */
  inArithmetic(node: SyntaxNode, within: Within): Carried {
    switch (node.type) {
      case 'Script':
      case 'SimpleExpansion':
      case 'ParameterExpansion':
        return this.in(node, within);
      case 'Literal':
        return this.names(node.value, within);
      case 'Word':
        if (node.parts === undefined) return this.names(node.text, within);
        break;
      case 'ArithmeticWord':
        if (node.parts === undefined) return joined(this.directly(node), this.names(node.value, within));
        break;
    }
    const parts: Carried[] = [];
    forEachChild(node, (child) => parts.push(this.inArithmetic(child, within)));
    return joined(...parts);
  }

  private directly({ pos, end }: { pos: number; end: number }): Carried {
    const inside = [...this.references.keys()].filter((start) => start >= pos && start < end);
    return inside.length === 0 ? NOTHING : new Map(inside.map((start) => [start, null]));
  }

  private names(text: string, within: Within): Carried {
    const found = [...text.matchAll(NAMES)].map(([, argument, name = argument ?? '']) => name);
    return joined(
      ...found.flatMap((name) => (PLACEHOLDER.test(name) ? [] : [this.variable(name, within.name)])),
    );
  }

  private parameter({ parameter }: Node<'ParameterExpansion'>, within: Within): Carried {
    return this.variable(parameter, within.name);
  }

  private inside(node: SyntaxNode, within: Within): Carried {
    const parts: Carried[] = [];
    forEachChild(node, (child) => parts.push(this.in(child, within)));
    return joined(...parts);
  }
}
