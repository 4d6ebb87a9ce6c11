/** A clause that stands alone begins like a sentence: errors are clauses, because they follow a colon elsewhere. */
export const sentence = (clause: string): string =>
  clause.replace(/^[a-z]+(?=[ ,])/, (word) => word.charAt(0).toUpperCase() + word.slice(1));

/** The same with its period, beside texts that have one. */
export const wholeSentence = (clause: string): string => sentence(clause).replace(/[^.!?…]$/, '$&.');
