import type { Json } from '@contract/ids';
import type { CheckedCitations } from '../contract/events';
import type { RlmState } from '../contract/state';
import { parseFences } from './reply/fences';

/** An answer's references: documents by their index in `context`, and quotations. */
interface Cited {
  readonly documents: readonly number[];
  readonly quotes: readonly string[];
}

const MOST_CITATIONS = 200;
/** A shorter text in quotation marks is a word or a name, not a quotation. */
const LEAST_QUOTED = 10;
const MOST_INDEX = 1_000_000;

/** As the prompt asks for. */
const AS_ASKED = /\bcontext\[(\d+)\]/giu;
/** In an answer without those: `Doc 3`, `Document **3**` and `**3**` alone. Beside those, "Document 9" is prose. */
const IN_OTHER_WORDS = /\bdoc(?:ument)?s?\s+(?:\*\*)?(\d+)|(?<![\w*])\*\*(\d+)\*\*(?![\w*])/giu;
const QUOTES = /"([^"\n]+)"|“([^”\n]+)”|`([^`\n]+)`/gu;
const REFERENCE = /^context\[\d+\]$/u;

/** Parses an answer. Fenced code contains neither quotations nor references. */
export function citedIn(answer: string): Cited {
  const text = parseFences(answer)
    .map((part) => (part.kind === 'text' ? part.line : ''))
    .join('\n');
  const documents = new Set<number>();
  for (const [, first, second] of text.matchAll(text.search(AS_ASKED) < 0 ? IN_OTHER_WORDS : AS_ASKED)) {
    const index = Number(first ?? second);
    if (index <= MOST_INDEX) documents.add(index);
  }
  const quotes = new Set<string>();
  for (const [, plain, curly, code] of text.matchAll(QUOTES)) {
    const quote = (plain ?? curly ?? code ?? '').trim();
    if (quote.length >= LEAST_QUOTED && !REFERENCE.test(quote)) quotes.add(quote);
  }
  return {
    documents: [...documents].sort((one, other) => one - other).slice(0, MOST_CITATIONS),
    quotes: [...quotes].slice(0, MOST_CITATIONS),
  };
}

export const citesNothing = ({ documents, quotes }: Cited): boolean =>
  documents.length === 0 && quotes.length === 0;

/** Problems of the citations, in words for the operator. */
export function citationWarnings(state: RlmState): string[] {
  const { citations } = state;
  if (citations === null) return [];
  if (citations.trouble !== null) return [`The citations could not be checked: ${citations.trouble}`];
  const missing = citations.documents.filter(({ found }) => !found).map(({ index }) => String(index));
  const unknown = citations.quotes.filter(({ document }) => document === null).length;
  const where = citations.unread?.length
    ? 'none of the documents that could be read'
    : 'none of the documents';
  return [
    ...unreadWarnings(state),
    ...(missing.length === 0 ? [] : [`The answer cites documents that do not exist: ${missing.join(', ')}.`]),
    ...(unknown === 0
      ? []
      : [`${unknown === 1 ? 'One quotation is' : `${unknown} quotations are`} in ${where}.`]),
  ];
}

function unreadWarnings({ citations, documents }: RlmState): string[] {
  const [first, ...others] = citations?.unread ?? [];
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, nor could ${others.length} more`;
  const name = documents?.[first.index]?.name ?? `document ${first.index}`;
  return [`${name} could not be searched for quotations${more}: ${first.why}`];
}

/** Null: it was not found, and a document that could not be read may have it. */
const foundIn = ({ unread }: Pick<CheckedCitations, 'unread'>, document: number | null): boolean | null =>
  document !== null || (unread?.length ? null : false);

/**
 * The checked citations for `citations_out` and the receipt; `checked` is false if there was nothing to
 * check.
 */
export function citationsJson({ citations, documents }: RlmState): Record<string, Json> {
  if (citations === null) return { checked: false, documents: [], quotes: [] };
  const nameOf = (index: number | null): string | null =>
    index === null ? null : (documents?.[index]?.name ?? null);
  const unread = (citations.unread ?? []).map(({ index, why }) => ({ index, name: nameOf(index), why }));
  return {
    checked: citations.trouble === null,
    ...(unread.length === 0 ? {} : { unread }),
    documents: citations.documents.map(({ index, found }) => ({ index, found, name: nameOf(index) })),
    quotes: citations.quotes.map(({ text, document, line }) => ({
      text,
      document,
      line,
      name: nameOf(document),
      found: foundIn(citations, document),
    })),
  };
}
