const BEFORE = 60;
const LENGTH = 240;

/** The neighbourhood of the first of the words, on one line. */
export function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...places, text.length) - BEFORE);
  const start = places.length === 0 ? 0 : from;
  const cut = text
    .slice(start, start + LENGTH)
    .replace(/\s+/g, ' ')
    .trim();
  return `${start > 0 ? '…' : ''}${cut}${start + LENGTH < text.length ? '…' : ''}`;
}
