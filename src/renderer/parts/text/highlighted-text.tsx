import { partsOf } from '@renderer/client/search/search-words';

/** A text with the searched words marked. */
export const HighlightedText = ({ text, words }: { text: string; words: readonly string[] }) =>
  partsOf(text, words).map(({ at, text, found }) =>
    found ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
  );
