import { type Document, LineCounter, parseDocument } from 'yaml';
import { meaningOf } from './aliases';

export interface ParsedText {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  /** The document's value, frozen because it is shared. */
  readonly meaning: ReturnType<typeof meaningOf>;
}

/**
 * An edit parses the text before and after it, and then its file is checked, listed and edited again: all of
 * these use one of the last few texts. A parsed text takes about a hundred times its length.
 */
const MOST_TEXTS = 4;
const MOST_CHARS = 300_000;

/** By text, least recently used first. */
const recent = new Map<string, ParsedText>();

/** Parses a text with its source tokens, which edits need. */
export function parsedText(text: string): ParsedText {
  const known = recent.get(text) ?? parse(text);
  recent.delete(text);
  recent.set(text, known);
  let chars = [...recent.keys()].reduce((sum, { length }) => sum + length, 0);
  for (const oldest of recent.keys()) {
    if (recent.size <= MOST_TEXTS && chars <= MOST_CHARS) break;
    chars -= oldest.length;
    recent.delete(oldest);
  }
  return known;
}

function parse(text: string): ParsedText {
  const lines = new LineCounter();
  const document = parseDocument(text, { keepSourceTokens: true, prettyErrors: false, lineCounter: lines });
  // A text with errors has no value.
  const meaning = document.errors.length > 0 ? { value: null, troubles: [] } : meaningOf(document);
  freeze(meaning.value);
  return { document, lines, meaning };
}

function freeze(whole: unknown): void {
  const pending: unknown[] = [whole];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null || Object.isFrozen(value)) continue;
    Object.freeze(value);
    pending.push(...Object.values(value));
  }
}
