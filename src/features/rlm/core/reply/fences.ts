/** A line of text, or a fenced block, as in CommonMark. */
type Part =
  | { readonly kind: 'text'; readonly line: string }
  | {
      readonly kind: 'fence';
      /** First word of the info string; may be empty. */
      readonly language: string;
      readonly code: string;
      /** False: the text ends inside the block. */
      readonly closed: boolean;
      /** All lines of the block, fences included. */
      readonly raw: string;
    };

const OPENER = /^ {0,3}(`{3,}|~{3,})[ \t]*(.*)$/;

/** Splits Markdown into lines of text and fenced blocks. CRLF counts as LF. */
export function parseFences(text: string): Part[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const parts: Part[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, fence, info = ''] = OPENER.exec(line) ?? [];
    // An info string with a backtick makes the line inline code.
    if (fence === undefined || (fence.startsWith('`') && info.includes('`'))) {
      parts.push({ kind: 'text', line });
      continue;
    }
    const end = closerOf(lines, at, fence);
    const last = end ?? lines.length;
    parts.push({
      kind: 'fence',
      language: info.trim().split(/\s+/)[0] ?? '',
      code: lines.slice(at + 1, last).join('\n'),
      closed: end !== null,
      raw: lines.slice(at, last + 1).join('\n'),
    });
    at = last;
  }
  return parts;
}

/** The line that closes a fence: only the same character, at least as many times. */
function closerOf(lines: readonly string[], opener: number, fence: string): number | null {
  const mark = fence.startsWith('`') ? '`' : '~';
  for (let at = opener + 1; at < lines.length; at += 1) {
    const line = (lines[at] ?? '').replace(/^ {0,3}/, '').trimEnd();
    if (line.length >= fence.length && line === mark.repeat(line.length)) return at;
  }
  return null;
}

/** Wraps a text in a backtick fence that no fence inside the text can close. */
export function fenced(language: string, text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}
