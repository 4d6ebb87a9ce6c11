interface ColumnsOptions {
  readonly indent?: string;
  /** Maximum line length: the last column is shortened. */
  readonly width?: number | undefined;
}

const GAP = 2;

/** Rows of words as aligned lines. */
export function columns(
  rows: readonly (readonly string[])[],
  { indent = '', width }: ColumnsOptions = {},
): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, size(cell));
  }
  return rows.map((row) => {
    const cells = row.map((cell, index) =>
      index === row.length - 1 ? cell : pad(cell, (widths[index] ?? 0) + GAP),
    );
    const text = `${indent}${cells.join('')}`.trimEnd();
    return width === undefined ? text : cut(text, width);
  });
}

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Colours take no room. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches colour escapes
const COLOUR = /\u001b\[\d+m/g;
const size = (text: string): number => [...text.replace(COLOUR, '')].length;
const pad = (text: string, to: number): string => text + ' '.repeat(Math.max(0, to - size(text)));

/**
 * Workflow files allow 120 characters. An imported history may contain a name of any length, with line
 * breaks.
 */
const RUN_NAME = 120;
export const shownName = (name: string): string => cut(name.trim().replace(/\s+/g, ' '), RUN_NAME);

export function cut(text: string, width: number): string {
  if (size(text) <= width) return text;
  // A coloured text is not cut: half an escape would colour what follows.
  const coloured = size(text) !== [...text].length;
  return coloured ? text : `${[...text].slice(0, Math.max(1, width - 1)).join('')}…`;
}
