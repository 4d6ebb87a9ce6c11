/** Marks, embeddings, overrides and isolates of direction; spaces and joiners without a width. */
const HIDDEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/**
 * A text with what turns it around, or is not seen, written out: an agent's command or change must not look like another
 * one to who gives leave to it.
 */
export const withHiddenSigns = (text: string): string =>
  text.replace(HIDDEN, (sign) => `⟨U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
