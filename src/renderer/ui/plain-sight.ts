/** They turn the order of what follows, or are not seen at all: what is read would not be what is done. */
const HIDDEN = /[\u202A-\u202E\u2066-\u2069\u200B\u2060\uFEFF]/g;

/** A text whose hidden signs are named where they stand, as `⟨U+202E⟩`. */
export const inPlainSight = (text: string): string =>
  text.replace(
    HIDDEN,
    (sign) => `⟨U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
