/**
 * Our own colours (style.ts), or one character that a terminal interprets: a control, or a bidirectional one.
 */
const OBEYED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters
  /\u001b\[(?:1|2|22|31|32|33|39)m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text for a terminal. Agents' text may contain control characters, for example to overwrite a line so that a
 * question reads differently. They are shown, not interpreted.
 */
export const visible = (text: string): string =>
  text
    .replace(/\r(?=\n|$)/g, '')
    .replace(OBEYED, (found) => (found.length > 1 ? found : pictureOf(found.charCodeAt(0))));

/** JSON leaves some of them unescaped; escaped, they mean the same. */
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
