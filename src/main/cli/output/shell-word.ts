/** A word as a shell takes it back. */
export const shellWord = (word: string): string =>
  /^[A-Za-z0-9_/.:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
