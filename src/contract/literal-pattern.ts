/**
 * The source of a pattern that matches exactly this text, under every flag. Each character is written as its number, so
 * there is no list of special characters that could be wrong under one of them.
 */
export const literalPattern = (text: string): string =>
  text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
