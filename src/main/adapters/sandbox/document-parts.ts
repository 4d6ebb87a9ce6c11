import type { DocumentText } from '../../core/ports/programs/sandbox';

/** One message's part of the context. */
interface DocumentPart {
  readonly text: string;
  /** The first part of a document. */
  readonly begin: boolean;
  /** Nothing follows. */
  readonly last: boolean;
}

const PART_CHARS = 64 * 1024;

/** Splits documents into parts small enough not to block a process. Keeps surrogate pairs together. */
export async function* partsOf(
  documents: Iterable<DocumentText> | AsyncIterable<DocumentText>,
): AsyncGenerator<DocumentPart> {
  let held: DocumentPart | null = null;
  for await (const document of documents) {
    let begin = true;
    for await (const text of cut(document)) {
      if (held !== null) yield held;
      held = { text, begin, last: false };
      begin = false;
    }
  }
  yield held === null ? { text: '', begin: false, last: true } : { ...held, last: true };
}

/** At least one part, even for an empty text. */
async function* cut(document: DocumentText): AsyncGenerator<string> {
  let any = false;
  for await (const piece of typeof document === 'string' ? [document] : document)
    for (let at = 0; at < piece.length; any = true) {
      const end = cutAt(piece, at + PART_CHARS);
      yield piece.slice(at, end);
      at = end;
    }
  if (!any) yield '';
}

function cutAt(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const low = text.charCodeAt(at);
  return low >= 0xdc00 && low <= 0xdfff ? at + 1 : at;
}
