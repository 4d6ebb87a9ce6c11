/** A label or a heading as it is compared: marks, emoji, variation selectors and blanks at its ends removed, small letters. */
function normal(line: string): string {
  return line
    .replace(/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{FE0F}|\u{200D}|\u{20E3}/gu, '')
    .replace(/^[\s#>*_`~"'“”‘’[\]()\-–—•:.\d]+(?=\D)/u, '')
    .replace(/[\s#*_`~"'“”‘’[\]():\-–—]+$/u, '')
    .trim()
    .toLowerCase();
}

/**
 * Takes named sections out of a response. A section starts at a line that equals its label once marks and emoji are
 * removed, and ends at the next label or at the end (SPEC "Re-prompts"). A label that stands twice counts where it
 * stands last, because a model often repeats the list of labels before it fills them.
 * Gives the text by label, and the labels that were not found.
 */
export function extractNamedOutputs(
  response: string,
  labels: readonly string[],
): { sections: Record<string, string>; missing: string[] } {
  const wanted = new Map(labels.map((label) => [normal(label), label]));
  const sections: Record<string, string> = {};
  let current: { label: string; lines: string[] } | null = null;
  const close = () => {
    if (current !== null) sections[current.label] = current.lines.join('\n').trim();
  };
  for (const line of response.split(/\r?\n/)) {
    const label = wanted.get(normal(line));
    if (label !== undefined && line.trim() !== '') {
      close();
      current = { label, lines: [] };
    } else {
      current?.lines.push(line);
    }
  }
  close();
  return { sections, missing: labels.filter((label) => sections[label] === undefined) };
}
