/** A piece from the middle of a text without the marks of its form: it is read in one line, not drawn. */
export const plainExcerpt = (text: string): string =>
  text
    .replace(/(^|\s)(?:#{1,6}|>|\|[\s|:-]*)(?=\s|$)/g, '$1')
    .replace(/[*_~]{2}|`+|[═─]{2,}/g, '')
    .replace(/\s+/g, ' ')
    .trim();
