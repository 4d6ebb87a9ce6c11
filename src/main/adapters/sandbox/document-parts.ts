/** One message's share of the context. */
export interface DocumentPart {
  readonly text: string;
  /** The first part of a document. */
  readonly begin: boolean;
  /** Nothing follows. */
  readonly last: boolean;
}

const PART_CHARS = 256 * 1024;

/** Cuts documents into parts that hold no process up. A pair of surrogates stays together. */
export async function* partsOf(
  documents: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<DocumentPart> {
  let held: DocumentPart | null = null;
  for await (const text of documents) {
    let at = 0;
    do {
      const end = cutAt(text, at + PART_CHARS);
      if (held !== null) yield held;
      held = { text: text.slice(at, end), begin: at === 0, last: false };
      at = end;
    } while (at < text.length);
  }
  yield held === null ? { text: '', begin: false, last: true } : { ...held, last: true };
}

function cutAt(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const low = text.charCodeAt(at);
  return low >= 0xdc00 && low <= 0xdfff ? at + 1 : at;
}
