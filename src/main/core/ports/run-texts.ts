import { ok, type Result } from '@contract/result';
import type { CallCancel } from './cancel';

/** A text that is in the artifacts of a run, by its hash. */
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
  /** Files, folders and globs; relative ones are the project's. */
  readonly paths: readonly string[];
  /** Ends it early, with whatever result. */
  readonly cancel: CallCancel;
  /** Texts that are no files. */
  readonly inline: readonly { readonly name: string; readonly text: string }[];
}

export interface FrozenDocuments {
  readonly documents: readonly (KeptText & { readonly name: string })[];
  /** What was named or found and cannot be read as text. */
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
}

export interface SurveyedFile {
  readonly name: string;
  readonly bytes: number;
}

/** Texts that are too large for the log. Writing the same text twice keeps one file. */
export interface RunTexts {
  /** Fails where nothing readable is there, or where it is too much. */
  freeze(request: FreezeRequest): Promise<Result<FrozenDocuments>>;
  /** The files that `freeze` would read, without reading them. */
  survey(
    request: Pick<FreezeRequest, 'projectPath' | 'anywhere' | 'paths'>,
  ): Promise<Result<readonly SurveyedFile[]>>;
  put(artifactsDir: string, text: string): Promise<Result<KeptText>>;
  read(artifactsDir: string, path: string): Promise<Result<string>>;
  /** A text of any size piece by piece, without holding up the process. Ends with the first error. */
  pieces(artifactsDir: string, path: string): AsyncIterable<Result<string>>;
  /**
   * The line, from 1, on which each of the texts is in a kept one; null where it is not there. White space and case do
   * not count, and of a long text only the beginning does.
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

/** What reading a text piece by piece gives; the error, where a piece could not be read. */
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
