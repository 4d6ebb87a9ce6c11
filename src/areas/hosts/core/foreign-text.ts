export const QUIET_SHELL =
  'Let its start files, such as ~/.bashrc, print nothing when the shell is not interactive.';

export const noise = (text: string): string =>
  `The login shell prints text before a command runs: "${firstWords(text)}".`;

/** The beginning of a foreign text, on one line and without control characters. */
export const firstWords = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 80);
