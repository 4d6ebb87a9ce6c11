/** A piece from the middle of a text without Markdown marks: it is shown in one line. */
export const plainExcerpt = (text: string): string =>
  text
    .replace(/(^|\s)(?:#{1,6}|>|\|[\s|:-]*)(?=\s|$)/g, '$1')
    .replace(/[*_~]{2}|`+|[═─]{2,}/g, '')
    .replace(/\s+/g, ' ')
    .trim();
