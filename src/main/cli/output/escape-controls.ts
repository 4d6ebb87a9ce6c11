/** Our own colours (style.ts), or one character that a terminal obeys: a control, or one that turns the way of writing. */
const OBEYED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
  /\u001b\[(?:1|2|22|31|32|33|39)m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Words for a terminal. What agents write may hold what a terminal obeys, such as to go back and write over a line, so
 * that a question reads as another one. It is shown, and not obeyed.
 */
export const visible = (text: string): string =>
  text
    .replace(/\r(?=\n|$)/g, '')
    .replace(OBEYED, (found) => (found.length > 1 ? found : pictureOf(found.charCodeAt(0))));

/** JSON leaves some of them as they are; escaped, they mean the same. */
export const json = (value: unknown, indent = 0): string => escaped(JSON.stringify(value, null, indent));

/** The same for a part of a JSON text. */
export const escaped = (text: string): string =>
  text.replace(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function pictureOf(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}
