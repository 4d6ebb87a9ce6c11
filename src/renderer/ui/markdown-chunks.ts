const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Cuts Markdown at the blank lines between its blocks, so that of a text that still grows only the last piece is
 * parsed again. Where a definition of a link stands, nothing is cut: it counts for the whole text.
 */
export function markdownChunks(text: string): string[] {
  if (/^ {0,3}\[[^\]]+\]:\s/m.test(text)) return [text];
  const chunks: string[] = [];
  let current: string[] = [];
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === null && mark) fence = mark;
    else if (fence && mark?.startsWith(fence) && line.trim() === mark) fence = null;
    const begins = current.at(-1)?.trim() === '' && line.trim() !== '' && !continues(line);
    if (begins && fence === (mark ?? null)) {
      chunks.push(current.join('\n'));
      current = [];
    }
    current.push(line);
  }
  if (current.some((line) => line.trim() !== '')) chunks.push(current.join('\n'));
  return chunks;
}

/** Belongs to the list item or the code above the blank line, or is the next item of that list. */
const continues = (line: string): boolean => /^(\s{2,}|\t|[-*+] |\d+[.)] )/.test(line);
