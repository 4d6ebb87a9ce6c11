const plain = (text: string): string => text.replace(/\s+/gu, ' ').trim().toLowerCase();

/** A quotation is on few lines; beyond that only its first one is marked. */
const MOST_LINES = 30;
/** As many characters of a quotation are searched: see `find-lines.ts`. */
const SEARCHED = 60;

/** The first and last line of a quotation that begins on a line; `from` is the number of the text's first line. */
export function quotedLines(
  { text, from }: { readonly text: string; readonly from: number },
  { quote, line }: { readonly quote: string; readonly line: number },
): readonly [number, number] {
  const lines = text.split('\n').slice(line - from);
  const whole = plain(quote);
  for (const wanted of [whole, Array.from(whole).slice(0, SEARCHED).join('').trim()]) {
    let joined = '';
    for (const [index, one] of lines.slice(0, MOST_LINES).entries()) {
      joined = plain(`${joined} ${one}`);
      if (joined.includes(wanted)) return [line, line + index];
    }
  }
  return [line, line];
}
