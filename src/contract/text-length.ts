/** Number of characters as Python counts them: code points, a lone surrogate counting as one. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length - 1; at += 1) if (isPairAt(text, at)) length -= 1;
  return length;
}

/** The first `most` characters of a text, and the number of characters cut off. */
export function clip(text: string, most: number): { readonly text: string; readonly cut: number } {
  if (text.length <= most) return { text, cut: 0 };
  let units = 0;
  for (let count = 0; count < most && units < text.length; count += 1) units += isPairAt(text, units) ? 2 : 1;
  const rest = text.slice(units);
  return { text: text.slice(0, units), cut: lengthOf(rest) };
}

/** Number of bytes in UTF-8. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    length += unit < 0x800 ? 1 : 2;
    // A pair has two units and four bytes.
    if (isPairAt(text, at)) at += 1;
  }
  return length;
}

/** Whether a text has more than this many bytes in UTF-8; it is read only where its length does not tell. */
export const exceedsUtf8 = (text: string, bytes: number): boolean =>
  text.length > bytes || (text.length * 3 > bytes && utf8Length(text) > bytes);

const isPairAt = (text: string, at: number): boolean => {
  const high = text.charCodeAt(at);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc00 && low <= 0xdfff;
};
