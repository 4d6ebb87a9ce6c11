import { ownValue } from '@contract/own';

const KEYS: Readonly<Record<string, string>> = {
  enter: '\r',
  esc: '\x1b',
  escape: '\x1b',
  tab: '\t',
  space: ' ',
  backspace: '\x7f',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
};

/**
 * What to send for keys named by a person, such as `down enter` or `2`. Other words are typed as they are, without
 * characters that a program would take as keys.
 */
export const keysNamed = (text: string): string =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => ownValue(KEYS, word.toLowerCase()) ?? word.replace(/\p{Cc}+/gu, ''))
    .join('');

/** One line of an answer, without characters that a program would take as keys, and Enter. */
export const lineTyped = (text: string): string => `${text.replace(/\p{Cc}+/gu, ' ').trim()}\r`;
