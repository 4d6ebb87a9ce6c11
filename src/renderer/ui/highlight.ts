import { common, createLowlight } from 'lowlight';

/** A piece of a line in one colour; `className` is one of those that reading.css colours. */
export interface Coloured {
  readonly text: string;
  readonly className: string;
}

type Root = ReturnType<ReturnType<typeof createLowlight>['highlight']>;
type Node = Root['children'][number];

const lowlight = createLowlight(common);

/** More than this at once would be felt, and of a line that long no one reads the colours. */
export const MOST_CHARACTERS = 60_000;
const LONGEST_LINE = 1_000;

/**
 * The lines of a text in colours, one array a line. Null where the language is not known or there is too much of it:
 * it is then shown plain.
 */
export function highlightLines(language: string, lines: readonly string[]): Coloured[][] | null {
  const size = lines.reduce((sum, line) => sum + line.length + 1, 0);
  if (size > MOST_CHARACTERS || lines.some((line) => line.length > LONGEST_LINE)) return null;
  if (!lowlight.registered(language)) return null;
  const out: Coloured[][] = [[]];
  for (const node of lowlight.highlight(language, lines.join('\n')).children) walk(node, '', out);
  return out;
}

function walk(node: Node, className: string, out: Coloured[][]): void {
  if (node.type === 'text') {
    for (const [index, text] of node.value.split('\n').entries()) {
      if (index > 0) out.push([]);
      if (text !== '') out.at(-1)?.push({ text, className });
    }
  } else if (node.type === 'element') {
    const names = node.properties.className;
    const inner = Array.isArray(names) ? names.join(' ') : className;
    for (const child of node.children) walk(child, inner, out);
  }
}
