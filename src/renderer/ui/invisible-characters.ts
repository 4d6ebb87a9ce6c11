/**
 * Characters that reverse the following text or are invisible: the displayed text would differ from what is
 * executed.
 */
const HIDDEN = /[\u202A-\u202E\u2066-\u2069\u200B\u2060\uFEFF]/g;

/** A text with its hidden characters shown as `⟨U+202E⟩`. */
export const inPlainSight = (text: string): string =>
  text.replace(
    HIDDEN,
    (sign) => `⟨U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
