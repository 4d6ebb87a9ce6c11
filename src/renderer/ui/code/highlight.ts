import { common, createLowlight } from 'lowlight';

/** A piece of a line in one colour; `className` is one of those in reading.css. */
export interface Coloured {
  readonly text: string;
  readonly className: string;
}

type Root = ReturnType<ReturnType<typeof createLowlight>['highlight']>;
type Node = Root['children'][number];

const lowlight = createLowlight(common);

/**
 * Maximum number of characters: more would cause a noticeable delay, and no one reads the colours of such
 * long lines.
 */
export const MOST_CHARACTERS = 60_000;
const LONGEST_LINE = 1_000;

/**
 * The highlighted lines of a text, one array per line. Null if the language is unknown or the text is too
 * long: it is then shown plain.
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
