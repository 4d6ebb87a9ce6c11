import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@contract/error-message';
import { type AppError, appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { lengthOf } from '@contract/text-length';
import type { CallCancel } from '../../core/ports/cancel';
import {
  type FreezeRequest,
  type FrozenDocuments,
  type KeptText,
  type RunTexts,
  type SurveyedFile,
  throughPieces,
} from '../../core/ports/run-texts';
import { QUESTION_BYTES } from '../../limits/core-sizes';
import { decoded, HEAD_BYTES, isTextHead, NoText } from './decode';
import { type FoundFiles, findFiles, type GitIn } from './find-files';
import { linesOf } from './find-lines';

const MOST_FILES = 20_000;
/** Files whose beginning a preview reads. */
const MOST_SNIFFED = 1_000;
/** Characters written, hashed and counted before yielding to other work. */
const SLICE = 256 * 1024;
/** Bytes read and decoded before yielding. */
const PIECE_BYTES = 256 * 1024;

/** Runs' texts as files named by hash, in `texts` of the run's artifacts. */
export class FileTexts implements RunTexts {
  constructor(private readonly git: GitIn) {}

  async freeze(request: FreezeRequest): Promise<Result<FrozenDocuments>> {
    const found = await findFiles(this.git, request);
    if (!found.ok) return found;
    const tooMuch = limitOf(found.value, request.inline);
    if (tooMuch !== null) return err(tooMuch);
    const documents: FrozenDocuments['documents'][number][] = [];
    const leftOut: FrozenDocuments['leftOut'][number][] = [];
    const { artifactsDir, cancel } = request;
    for (const { name, path } of found.value.files) {
      const stored = await keepFile(artifactsDir, path, cancel);
      if ('why' in stored) leftOut.push({ name, why: stored.why });
      else if (stored.ok) documents.push({ ...stored.value, name });
      else return stored;
    }
    for (const { name, text } of request.inline) {
      const stored = text.trim() === '' ? null : await this.put(artifactsDir, text);
      if (stored === null) leftOut.push({ name, why: 'it is empty' });
      else if (stored.ok) documents.push({ ...stored.value, name });
      else return stored;
    }
    return documents.length === 0 ? err(nothingToRead(leftOut)) : ok({ documents, leftOut });
  }

  async survey(
    request: Pick<FreezeRequest, 'projectPath' | 'anywhere' | 'paths'>,
  ): Promise<Result<readonly SurveyedFile[]>> {
    const found = await findFiles(this.git, request);
    if (!found.ok) return found;
    const tooMuch = limitOf(found.value, []);
    if (tooMuch !== null) return err(tooMuch);
    const { files } = found.value;
    const asText = await Promise.all(files.slice(0, MOST_SNIFFED).map(({ path }) => startsAsText(path)));
    return ok(files.map(({ name, bytes }, at) => ({ name, bytes, isText: asText[at] ?? true })));
  }

  async put(artifactsDir: string, text: string): Promise<Result<KeptText>> {
    try {
      // A short one often exists already: the same question about the same part.
      const short = text.length <= SLICE ? { sha256: this.hash(text), chars: lengthOf(text) } : null;
      const path = pathOf(short?.sha256 ?? '');
      if (short !== null && (await isThere(join(artifactsDir, path)))) return ok({ ...short, path });
      return ok(await keepPieces(artifactsDir, slicesOf(text)));
    } catch (cause) {
      return err(notWritten(artifactsDir, cause));
    }
  }

  async read(artifactsDir: string, path: string): Promise<Result<string>> {
    const file = join(artifactsDir, path);
    try {
      return ok(await readFile(file, 'utf8'));
    } catch (cause) {
      return err(notRead(file, cause));
    }
  }

  async find(
    artifactsDir: string,
    path: string,
    wanted: readonly string[],
  ): Promise<Result<readonly (number | null)[]>> {
    return throughPieces(this.pieces(artifactsDir, path), (texts) => linesOf(texts, wanted));
  }

  async *pieces(artifactsDir: string, path: string): AsyncGenerator<Result<string>> {
    const file = join(artifactsDir, path);
    // Not fatal: the text was decoded when it was stored.
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    try {
      for await (const chunk of createReadStream(file, { highWaterMark: PIECE_BYTES }))
        yield ok(decoder.decode(chunk as Buffer, { stream: true }));
      const rest = decoder.decode();
      if (rest !== '') yield ok(rest);
    } catch (cause) {
      yield err(notRead(file, cause));
    }
  }

  hash(text: string): string {
    return createHash('sha256').update(text).digest('hex');
  }

  marker(): string {
    return randomBytes(16).toString('hex');
  }
}

const pathOf = (sha256: string): string => `texts/${sha256}.txt`;

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

/** Copies a file as UTF-8 text, or returns why it is not text. */
async function keepFile(
  artifactsDir: string,
  path: string,
  cancel: CallCancel,
): Promise<Result<KeptText> | { readonly why: string }> {
  let reading: unknown = null;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
        if (cancel.cancelled) throw new NoText('the run was cancelled');
        yield chunk as Buffer;
      }
    } catch (cause) {
      reading = cause;
      throw cause;
    }
  }
  try {
    return ok(await keepPieces(artifactsDir, decoded(chunks())));
  } catch (cause) {
    if (cause instanceof NoText) return { why: cause.why };
    if (cause === reading) return { why: `it cannot be read (${messageOf(cause)})` };
    return err(notWritten(artifactsDir, cause));
  }
}

/** Whether the beginning of a file is text. What cannot be read counts: the question will say why. */
async function startsAsText(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return true;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return isTextHead(buffer.subarray(0, bytesRead));
  } catch {
    return true;
  } finally {
    await file.close();
  }
}

/** Writes a text in pieces and then names it after its hash. A file with such a name is complete. */
async function keepPieces(
  artifactsDir: string,
  pieces: Iterable<string> | AsyncIterable<string>,
): Promise<KeptText> {
  const folder = join(artifactsDir, 'texts');
  await mkdir(folder, { recursive: true });
  const part = join(folder, `${randomBytes(8).toString('hex')}.part`);
  const hash = createHash('sha256');
  let chars = 0;
  try {
    const file = await open(part, 'w');
    try {
      for await (const piece of pieces) {
        const bytes = Buffer.from(piece);
        hash.update(bytes);
        chars += lengthOf(piece);
        await file.writeFile(bytes);
      }
    } finally {
      await file.close();
    }
    const sha256 = hash.digest('hex');
    await rename(part, join(artifactsDir, pathOf(sha256)));
    return { sha256, path: pathOf(sha256), chars };
  } catch (cause) {
    await rm(part, { force: true }).catch(() => undefined);
    throw cause;
  }
}

/** Keeps surrogate pairs together. */
function* slicesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const low = text.charCodeAt(at + SLICE);
    const end = Math.min(text.length, at + SLICE + (low >= 0xdc00 && low <= 0xdfff ? 1 : 0));
    yield text.slice(at, end);
    at = end;
  }
}

function limitOf({ files, none }: FoundFiles, inline: FreezeRequest['inline']): AppError | null {
  if (files.length === 0 && inline.length === 0)
    return (
      none ??
      appError('input.invalid', 'There are no documents to ask about.', {
        mend: 'Name files or folders, or connect data_in.',
      })
    );
  const bytes =
    files.reduce((sum, file) => sum + file.bytes, 0) + inline.reduce((sum, { text }) => sum + text.length, 0);
  const mend = 'Name fewer or smaller files.';
  if (files.length > MOST_FILES)
    return appError('input.invalid', `${files.length} files are more than ${MOST_FILES}.`, { mend });
  if (bytes <= QUESTION_BYTES) return null;
  const mb = (much: number): string => `${Math.round(much / 1024 / 1024)} MB`;
  return appError('input.invalid', `The documents have ${mb(bytes)}. The limit is ${mb(QUESTION_BYTES)}.`, {
    mend,
  });
}

function nothingToRead(leftOut: FrozenDocuments['leftOut']): AppError {
  const named = leftOut.slice(0, 5).map(({ name, why }) => `${name}: ${why}`);
  const more = leftOut.length > named.length ? ` (and ${leftOut.length - named.length} more)` : '';
  return appError('input.invalid', `No document can be read as text. ${named.join('; ')}${more}`, {
    mend: 'Name files that hold text.',
  });
}

const notRead = (file: string, cause: unknown): AppError =>
  appError('not_found', `A text of the run cannot be read: ${messageOf(cause)}`, { where: { file } });

const notWritten = (file: string, cause: unknown): AppError => {
  const full = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
  return appError(
    full ? 'store.disk_full' : 'store.failed',
    `A text of the run cannot be written: ${messageOf(cause)}`,
    { where: { file }, ...(full ? { mend: 'Free some space on the disk; the run goes on by itself.' } : {}) },
  );
};
