/** A word quoted for a shell. */
export const shellWord = (word: string): string =>
  /^[A-Za-z0-9_/.:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
