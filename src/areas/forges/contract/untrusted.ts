/** Comments of HTML are invisible on the forge, so no reader has seen what they say. */
const HIDDEN = /<!--[\s\S]*?(?:-->|$)/g;
/** Characters that hide or reorder text, and controls other than tab and line end. */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Cf}]/gu;

/** What a reader of the forge sees of a text; at most `most` characters. */
export function visibleText(text: string, most: number): string {
  // A cut before the search bounds it, whatever the size of the text.
  const seen = text
    .slice(0, most * 4)
    .replaceAll('\r\n', '\n')
    .replace(HIDDEN, '')
    .replace(INVISIBLE, '')
    .trim();
  if (seen.length <= most && text.length <= most * 4) return seen;
  const kept = seen.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  return `${kept}\n[cut: the whole text has ${text.length} characters]`;
}

export const oneLine = (text: string, most: number): string => {
  const line = visibleText(text, most * 4).replace(/\s+/g, ' ');
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`;
};

/** A text of other people for a prompt, in a fence that the text itself cannot close. */
export function fenced(name: string, text: string): string {
  let mark = name;
  while (text.includes(mark)) mark = `${mark}-`;
  return `<<<${mark}\n${text}\n${mark}>>>`;
}
