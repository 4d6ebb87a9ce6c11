import { lazily } from '@contract/lazy-value';

/**
 * Control characters and line separators would break the five-line format; bidirectional controls would
 * misrepresent the text.
 */
const control = lazily(() => /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu);

/** Any text as one line. */
export const oneLine = (text: string): string => text.replace(control(), ' ').trim();

/** A line of an agent's answer as one line, without Markdown marks. */
export const plainLine = (line: string): string =>
  line
    .replace(control(), ' ')
    .replace(/^\s*(?:#{1,6}\s+|>\s*|[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+)+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|~~|`+)/g, '')
    .replace(/(^|\s)[*_](\S[^*_]*\S|\S)[*_](?=\s|[.,;:!?]|$)/g, '$1$2')
    .replace(/\s+/g, ' ')
    .trim();
