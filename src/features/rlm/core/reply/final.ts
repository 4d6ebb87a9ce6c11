import { ownValue } from '@contract/own';

/** The model's ending: the content of `FINAL(...)`, `FINAL_VAR(...)` or `PARTIAL(...)`. */
export interface Final {
  readonly call: 'FINAL' | 'FINAL_VAR' | 'PARTIAL';
  /** `variable`: the name of a REPL variable that holds the answer. `text`: the answer itself. */
  readonly kind: 'variable' | 'text';
  readonly value: string;
}

const MARKER = /^[ \t]*(PARTIAL|FINAL_VAR|FINAL)\(/;
const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u;
/** Python keywords that are complete expressions or statements. */
const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from ' +
    'global if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/**
 * The last ending in the lines of a reply, without `repl` blocks; null if there is none. A marker is at the
 * start of a line. Of several, the last one counts, because the model corrected itself.
 */
export function findFinal(lines: readonly string[]): Final | null {
  const markers = lines.flatMap((line, at) => (MARKER.test(line) ? [at] : []));
  let end = lines.length;
  for (const at of markers.reverse()) {
    const final = finalIn(lines.slice(at, end));
    if (final !== null) return final;
    end = at;
  }
  return null;
}

/** The ending in lines that start with the marker; null if its parentheses are empty. */
function finalIn(region: readonly string[]): Final | null {
  const [marker, call] = MARKER.exec(region[0] ?? '') ?? [];
  if (marker === undefined || call === undefined) return null;
  const inside = contentOf(region, marker.length).trim();
  return inside === '' ? null : interpret(call as Final['call'], inside);
}

/**
 * The text between the parentheses: on one line if that line ends with the closing one; else up to a closing
 * one at the end of the text; else up to one on the first line; else the whole text.
 */
function contentOf([first = '', ...rest]: readonly string[], start: number): string {
  const closer = closerIn(first, start);
  const line = first.trimEnd();
  if (closer !== null && closer === line.length - 1) return line.slice(start, closer);
  const fullText = [first.slice(start), ...rest].join('\n').trimEnd();
  if (fullText.endsWith(')')) return fullText.slice(0, -1);
  return closer === null ? fullText : first.slice(start, closer);
}

/** The position on this line that closes the parenthesis opened before `start`. */
function closerIn(line: string, start: number): number | null {
  let open = 1;
  for (let at = start; at < line.length; at += 1) {
    if (line[at] === '(') open += 1;
    if (line[at] === ')') open -= 1;
    if (open === 0) return at;
  }
  return null;
}

function interpret(call: Final['call'], inside: string): Final {
  const quoted = unquoted(inside);
  if (call === 'FINAL_VAR') {
    const name = quoted ?? inside;
    return { call, kind: isVariable(name) ? 'variable' : 'text', value: name };
  }
  if (quoted !== null) return { call, kind: 'text', value: quoted };
  const kind = call === 'FINAL' && isVariable(inside) ? 'variable' : 'text';
  return { call, kind, value: inside };
}

const isVariable = (text: string): boolean => IDENTIFIER.test(text) && !KEYWORDS.has(text);

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' };

/** The value of a text that is a single Python string literal; null otherwise. */
function unquoted(text: string): string | null {
  for (const quote of ['"""', "'''", '"', "'"]) {
    const body = bodyOf(text, quote);
    if (body !== null) return unescaped(body);
  }
  return null;
}

/** Without a regular expression, which takes seconds for megabytes. */
function bodyOf(text: string, quote: string): string | null {
  const { length } = quote;
  if (text.length < 2 * length || !text.startsWith(quote) || !text.endsWith(quote)) return null;
  const body = text.slice(length, -length);
  for (let at = 0; at < body.length; at += 1) {
    if (body[at] === '\\') at += 1;
    else if (body.startsWith(quote, at) || (length === 1 && body[at] === '\n')) return null;
    if (at === body.length) return null;
  }
  return body;
}

const unescaped = (body: string): string =>
  body.replace(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g,
    (_, ...[wide, byte, char = '']: (string | undefined)[]) => {
      const code = wide ?? byte;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      const escaped = ownValue(ESCAPES, char);
      if (escaped !== undefined) return escaped;
      return char === '\\' || char === '"' || char === "'" ? char : `\\${char}`;
    },
  );
