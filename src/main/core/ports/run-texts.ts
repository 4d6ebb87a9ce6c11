import { ok, type Result } from '@contract/result';
import type { CallCancel } from './cancel';

/** A text in a run's artifacts, by its hash. */
export interface KeptText {
  readonly sha256: string;
  /** Relative to the artifacts of the run. */
  readonly path: string;
  /** Unicode code points. */
  readonly chars: number;
}

export interface FreezeRequest {
  readonly projectPath: string;
  readonly artifactsDir: string;
  /** Also outside of the project. */
  readonly anywhere: boolean;
  /** Files, folders and globs, relative to the project or absolute. */
  readonly paths: readonly string[];
  /** Ends it early, with any result. */
  readonly cancel: CallCancel;
  /** Texts that are not files. */
  readonly inline: readonly { readonly name: string; readonly text: string }[];
}

export interface FrozenDocuments {
  readonly documents: readonly (KeptText & { readonly name: string })[];
  /** Named or found files that cannot be read as text. */
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
}

export interface SurveyedFile {
  readonly name: string;
  readonly bytes: number;
  /** False: it is empty or begins like no text, so a question would leave it out. */
  readonly isText: boolean;
}

/** Texts too large for the log. The same text is stored only once. */
export interface RunTexts {
  /** Copies the files. Fails if none is readable, or they are too large. */
  freeze(request: FreezeRequest): Promise<Result<FrozenDocuments>>;
  /** The files that `freeze` would read, without reading them. */
  survey(
    request: Pick<FreezeRequest, 'projectPath' | 'anywhere' | 'paths'>,
  ): Promise<Result<readonly SurveyedFile[]>>;
  put(artifactsDir: string, text: string): Promise<Result<KeptText>>;
  read(artifactsDir: string, path: string): Promise<Result<string>>;
  /** Reads a text of any size in pieces, without blocking the process. Ends with the first error. */
  pieces(artifactsDir: string, path: string): AsyncIterable<Result<string>>;
  /**
   * The line (from 1) of each text within a stored one; null if not found. Ignores white space and case, and
   * compares only the beginning of a long text.
   */
  find(
    artifactsDir: string,
    path: string,
    wanted: readonly string[],
  ): Promise<Result<readonly (number | null)[]>>;
  hash(text: string): string;
  /** 128 random bits as 32 hexadecimal digits. */
  marker(): string;
}

/** The result of reading a text piece by piece; the error, if a piece could not be read. */
export async function throughPieces<T>(
  pieces: AsyncIterable<Result<string>>,
  read: (texts: AsyncIterable<string>) => Promise<T>,
): Promise<Result<T>> {
  const failed: Result<never>[] = [];
  async function* texts(): AsyncGenerator<string> {
    for await (const piece of pieces)
      if (piece.ok) yield piece.value;
      else failed.push(piece);
  }
  const value = await read(texts());
  return failed[0] ?? ok(value);
}
