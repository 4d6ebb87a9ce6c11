const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Splits Markdown at the blank lines between its blocks, so that only the last piece of a growing text is
 * parsed again. A text with a link definition is not split: the definition applies to the whole text.
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

/** The line belongs to the list item or code above the blank line, or is the next item of that list. */
const continues = (line: string): boolean => /^(\s{2,}|\t|[-*+] |\d+[.)] )/.test(line);
