import type { AppError } from '@contract/errors';
import { fail, type Result } from '@contract/result';
import type { LargeText, WholeText } from '@contract/whole-text';

/** A text of the run cannot be read or written. Ends the decision that needs it, and nothing else. */
export class TextFault extends Error {
  constructor(readonly error: AppError) {
    super(error.message);
  }
}

type Named = Pick<LargeText, 'sha256'>;

/**
 * The texts of one run that are too large for an event. A text never changes under its hash, so to read one is as pure
 * as to read the event that names it.
 */
export interface WholeTexts {
  /** The text as an event holds it. A file is on the disk before this returns. Throws `TextFault`. */
  keep(text: string): WholeText;
  /** The same for a text that may be many megabytes, without holding up everything else. */
  keepLater(text: string): Promise<Result<WholeText>>;
  /** A text that is in another file of the run, with this hash: it is not read for that. */
  keepFile(file: string, sha256: string): Promise<Result<LargeText>>;
  /** Throws `TextFault` if the file is missing, or is not the text that was kept. */
  read(text: Named): string;
  /** The absolute path, for a program that reads the file itself. */
  path(text: Named): string;
}

/** The large texts of each run, by the folder of its artifacts. */
export interface RunTextFiles {
  of(artifactsDir: string): WholeTexts;
  /** Gives a run files of another one. */
  share(texts: Iterable<Named>, from: string, to: string): Promise<Result<void>>;
}

export const wholeOf = (texts: Pick<WholeTexts, 'read'>, text: WholeText): string =>
  typeof text === 'string' ? text : texts.read(text);

export const allWhole = (
  texts: Pick<WholeTexts, 'read'>,
  all: Readonly<Record<string, WholeText>>,
): Readonly<Record<string, string>> =>
  // Most often there is none, and a copy costs more than the look.
  Object.values(all).every((text) => typeof text === 'string')
    ? (all as Readonly<Record<string, string>>)
    : Object.fromEntries(Object.entries(all).map(([name, text]) => [name, wholeOf(texts, text)]));

/** Keeps every text in its event: for runs that are not stored. */
export const INLINE_TEXTS: WholeTexts = {
  keep: (text) => text,
  keepLater: async (text) => ({ ok: true, value: text }),
  keepFile: async (file) => fail('not_found', `${file} is not kept`),
  read: () => '',
  path: ({ sha256 }) => sha256,
};
