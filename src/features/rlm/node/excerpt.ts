const AROUND = 20;
const MOST_CHARS = 20_000;

/** The lines around one of them, with the number of the first; a document of one line gives its beginning. */
export function excerptAt(text: string, line: number): { readonly text: string; readonly from: number } {
  const from = Math.max(1, line - AROUND);
  let start = 0;
  for (let at = 1; at < from; at += 1) {
    const end = text.indexOf('\n', start);
    if (end < 0) return { text: text.slice(start, start + MOST_CHARS), from: at };
    start = end + 1;
  }
  let end = start;
  for (let at = from; at <= line + AROUND && end >= 0; at += 1) end = text.indexOf('\n', end + 1);
  const whole = end < 0 ? text.slice(start) : text.slice(start, end);
  return { text: whole.slice(0, MOST_CHARS), from };
}
