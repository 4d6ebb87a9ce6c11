/** Errors begin with a small letter and have no period, so that they fit into other sentences. */
export const asSentence = (detail: string): string =>
  `${detail.slice(0, 1).toUpperCase()}${detail.slice(1).replace(/\.$/, '')}.`;

/** The reverse: for a detail that begins with "It" or ends with a period. */
export const withinSentence = (detail: string): string => detail.replace(/^It\b/, 'it').replace(/\.$/, '');
