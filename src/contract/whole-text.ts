import { z } from 'zod';
import { whole } from './bounds';
import { lazyStrictObject } from './lazy-object';
import { sizeWords } from './size-words';
import { utf8Length } from './text-length';

/**
 * A text is passed on whole, or it is a `CutText`, which does not compile where a text is wanted. A whole text is a
 * string, or a `LargeText` where a string would be too large for an event.
 */
const bytes = whole().nonnegative();

export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** A whole text in a file of the run's artifacts, named by its hash. */
export const largeTextSchema = lazyStrictObject(() => ({
  sha256: sha256Schema,
  /** Of the whole text in UTF-8. */
  bytes,
  /** Its beginning and its end, to be shown with `bytes`. Never passed on. */
  preview: z.strictObject({ first: z.string(), last: z.string() }),
}));
export type LargeText = z.infer<typeof largeTextSchema>;

export const wholeTextSchema = z.lazy(() => z.union([z.string(), largeTextSchema]));
export type WholeText = string | LargeText;

/** A part of a text, which the author of the workflow chose to be enough. */
export const cutTextSchema = lazyStrictObject(() => ({
  part: z.enum(['first', 'last']),
  shown: wholeTextSchema,
  shownBytes: bytes,
  totalBytes: bytes,
}));
export interface CutText {
  readonly part: 'first' | 'last';
  readonly shown: WholeText;
  readonly shownBytes: number;
  readonly totalBytes: number;
}

/** A text, whole or marked as cut. */
export const markedTextSchema = z.lazy(() => z.union([wholeTextSchema, cutTextSchema]));
export type MarkedText = WholeText | CutText;

export const isCut = (text: MarkedText): text is CutText => typeof text === 'object' && 'totalBytes' in text;
export const isLarge = (text: MarkedText): text is LargeText => typeof text === 'object' && 'sha256' in text;

/** The large texts that a value names, each once. */
export function largeTextsIn(
  value: unknown,
  found = new Map<string, LargeText>(),
): ReadonlyMap<string, LargeText> {
  if (value === null || typeof value !== 'object') return found;
  const large = 'sha256' in value ? largeTextSchema.safeParse(value) : null;
  if (large?.success) found.set(large.data.sha256, large.data);
  else for (const one of Object.values(value)) largeTextsIn(one, found);
  return found;
}

/** The same value for a program, in which each large text says in `whole` how to read all of it. */
export const namingWhole = (value: object, wayTo: (sha256: string) => string): object =>
  largeTextsIn(value).size === 0 ? value : Object(named(value, wayTo));

function named(value: unknown, wayTo: (sha256: string) => string): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => named(one, wayTo));
  const large = 'sha256' in value ? largeTextSchema.safeParse(value) : null;
  if (large?.success) return { ...large.data, whole: wayTo(large.data.sha256) };
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, named(one, wayTo)]));
}

/** What an event shows of a large text: its beginning and its end, and that this is not all. */
export const previewText = ({ preview: { first, last }, bytes: all }: LargeText): string =>
  `${first}\n[… not shown here: the middle of ${sizeWords(all)} …]\n${last}`;

/** A cut text with its mark on a line of its own. */
export function withMark(cut: CutText): string {
  const shown = shownText(cut.shown);
  const mark = `[Cut: ${cutWords(cut)}]`;
  return cut.part === 'first' ? `${shown}\n${mark}` : `${mark}\n${shown}`;
}

/** A text for a person to look at, with a mark where it is not all. */
export function shownText(text: MarkedText): string {
  if (typeof text === 'string') return text;
  return isCut(text) ? withMark(text) : previewText(text);
}

/** `first 64 KiB of 10 MB`: what every reader of a cut text shows. */
export const cutWords = ({ part, shownBytes, totalBytes }: Omit<CutText, 'shown'>): string =>
  `${part} ${sizeWords(shownBytes)} of ${sizeWords(totalBytes)}`;

/** The size of the whole text, even of a cut one. */
export function totalBytes(text: MarkedText): number {
  if (typeof text === 'string') return utf8Length(text);
  return isCut(text) ? text.totalBytes : text.bytes;
}
