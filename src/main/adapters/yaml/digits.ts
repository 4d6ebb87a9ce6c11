import { type Document, isAlias, isMap, isNode, isPair, isScalar, isSeq, type Node, visit } from 'yaml';

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Values that become texts: defaults of inputs, inputs of a called workflow, items of a list. A number there that
 * would lose digits stays as it is written.
 */
const TEXTS: readonly (readonly string[])[] = [
  ['^', 'inputs', '*', 'default'],
  ['config', 'inputs', '*'],
  ['config', 'for_each', 'items', '*'],
];

/** Puts the digits of such numbers into a document's value. */
export function keepDigits(document: Document, value: unknown): void {
  visit(document, {
    Scalar(key, scalar, around) {
      const { source } = scalar;
      if (typeof scalar.value !== 'number' || source === undefined || key === 'key') return;
      if (String(scalar.value) === source || !JSON_NUMBER.test(source)) return;
      const nodes = [...around, scalar];
      const path = pathOf(nodes);
      for (let length = path.length; length > 0; length -= 1) {
        const holder = path[length - 1];
        if (holder === undefined || !isText(path.slice(0, length).map(({ name }) => name))) continue;
        set(
          value,
          path.slice(0, length).map(({ name }) => name),
          length === path.length ? source : jsonOf(document, holder.node),
        );
        return;
      }
    },
  });
}

interface Stop {
  readonly name: string;
  readonly node: unknown;
}

/** The keys and indexes that lead to the last node, each with what is there. */
function pathOf(nodes: readonly unknown[]): Stop[] {
  return nodes.flatMap((node, at): Stop[] => {
    const next = nodes[at + 1];
    if (isPair(node))
      return [{ name: String(isScalar(node.key) ? node.key.value : node.key), node: node.value }];
    if (isSeq(node) && next !== undefined) return [{ name: String(node.items.indexOf(next)), node: next }];
    return [];
  });
}

function isText(path: readonly string[]): boolean {
  const whole = ['^', ...path];
  return TEXTS.some(
    (pattern) =>
      pattern.length <= whole.length &&
      pattern.every((part, at) => part === '*' || part === whole[whole.length - pattern.length + at]),
  );
}

function set(value: unknown, path: readonly string[], text: string): void {
  const last = path.at(-1) ?? '';
  let holder = value;
  for (const name of path.slice(0, -1)) holder = ownOf(holder, name);
  if (typeof holder === 'object' && holder !== null && Object.hasOwn(holder, last))
    Reflect.set(holder, last, text);
}

const ownOf = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
    ? Reflect.get(holder, name)
    : undefined;

/** A node as JSON, with the digits of its numbers. */
function jsonOf(document: Document, node: unknown): string {
  if (isAlias(node)) return JSON.stringify(node.toJS(document)) ?? 'null';
  if (isScalar(node)) {
    const { source = '', value } = node;
    return typeof value === 'number' && JSON_NUMBER.test(source) ? source : (JSON.stringify(value) ?? 'null');
  }
  if (isSeq(node)) return `[${node.items.map((item) => jsonOf(document, item)).join(',')}]`;
  if (!isMap(node)) return isNode(node) ? (JSON.stringify((node as Node).toJS(document)) ?? 'null') : 'null';
  const fields = node.items.map(({ key, value }) => {
    const name = isScalar(key) ? String(key.value) : String(key);
    return `${JSON.stringify(name)}:${jsonOf(document, value)}`;
  });
  return `{${fields.join(',')}}`;
}
