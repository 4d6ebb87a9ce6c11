const AROUND = 20;
const MOST_CHARS = 20_000;

/** The lines around one line, with the number of the first; for a one-line document, its beginning. */
export async function excerptAt(
  pieces: Iterable<string> | AsyncIterable<string>,
  line: number,
): Promise<{ readonly text: string; readonly from: number }> {
  const from = Math.max(1, line - AROUND);
  const most = line + AROUND - from + 1;
  let at = 1;
  let excerpt = '';
  for await (const piece of pieces) {
    let start = 0;
    for (let end = 0; at < from && end >= 0; ) {
      end = piece.indexOf('\n', start);
      if (end < 0) continue;
      at += 1;
      start = end + 1;
      excerpt = '';
    }
    if (excerpt.length < MOST_CHARS) excerpt += piece.slice(start, start + MOST_CHARS);
    if (at === from && (excerpt.length >= MOST_CHARS || excerpt.split('\n').length > most)) break;
  }
  const shown = at < from ? excerpt : excerpt.split('\n').slice(0, most).join('\n');
  return { text: shown.slice(0, MOST_CHARS), from: at };
}
