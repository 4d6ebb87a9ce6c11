const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Indents JSON for reading; every number and key stays as written. A text that is not JSON is returned
 * unchanged.
 */
export function indentJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const out: string[] = [];
  let depth = 0;
  let opened = false;
  for (const [token] of text.matchAll(TOKENS)) {
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    if (closes ? !opened : opened) out.push(line(depth));
    out.push(token);
    opened = token === '{' || token === '[';
    if (opened) depth += 1;
    else if (token === ',') out.push(line(depth));
    else if (token === ':') out.push(' ');
  }
  return out.join('');
}

/** Maximum indented depth: the indentation of 10,000 levels would be larger than the text. */
const MOST_INDENTED = 40;

const line = (depth: number): string => `\n${'  '.repeat(Math.min(depth, MOST_INDENTED))}`;
