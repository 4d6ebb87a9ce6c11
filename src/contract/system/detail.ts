/** What is told of a process or the store, as a sentence of its own: errors begin with a small letter and have no period. */
export const asSentence = (detail: string): string =>
  `${detail.slice(0, 1).toUpperCase()}${detail.slice(1).replace(/\.$/, '')}.`;

/** The same within a sentence, which has an end of its own. */
export const withinSentence = (detail: string): string => detail.replace(/^It\b/, 'it').replace(/\.$/, '');
