import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AppError, appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { lengthOf } from '@contract/text-length';
import type {
  FreezeRequest,
  FrozenDocuments,
  KeptText,
  RunTexts,
  SurveyedFile,
} from '../../core/ports/run-texts';
import { decodeText } from './decode';
import { type FoundFile, findFiles, type GitIn } from './find-files';
import { linesOf } from './find-lines';

/** All documents of one question together, as files. */
const MOST_BYTES = 192 * 1024 * 1024;
const MOST_FILES = 20_000;
/** Characters hashed and counted before other work gets its turn. */
const SLICE = 1024 * 1024;

/** Texts of runs as files by their hash, in `texts` of the run's artifacts. */
export class FileTexts implements RunTexts {
  constructor(private readonly git: GitIn) {}

  async freeze(request: FreezeRequest): Promise<Result<FrozenDocuments>> {
    const found = await findFiles(this.git, request);
    if (!found.ok) return found;
    const tooMuch = limitOf(found.value, request.inline);
    if (tooMuch !== null) return err(tooMuch);
    const documents: FrozenDocuments['documents'][number][] = [];
    const leftOut: FrozenDocuments['leftOut'][number][] = [];
    for (const { name, text } of await this.#texts(found.value, request.inline, leftOut)) {
      const kept = await this.put(request.artifactsDir, await text());
      if (!kept.ok) return kept;
      documents.push({ ...kept.value, name });
    }
    return documents.length === 0 ? err(nothingToRead(leftOut)) : ok({ documents, leftOut });
  }

  async survey(
    request: Pick<FreezeRequest, 'projectPath' | 'anywhere' | 'paths'>,
  ): Promise<Result<readonly SurveyedFile[]>> {
    const found = await findFiles(this.git, request);
    if (!found.ok) return found;
    const tooMuch = limitOf(found.value, []);
    return tooMuch === null ? ok(found.value.map(({ name, bytes }) => ({ name, bytes }))) : err(tooMuch);
  }

  /** What can be read; the rest joins `leftOut`. A file's text is read again when it is kept, so that one lies in memory. */
  async #texts(
    files: readonly FoundFile[],
    inline: FreezeRequest['inline'],
    leftOut: FrozenDocuments['leftOut'][number][],
  ): Promise<{ readonly name: string; text(): Promise<string> }[]> {
    const texts: { readonly name: string; text(): Promise<string> }[] = [];
    for (const { name, path } of files) {
      const read = await textOf(path);
      if ('why' in read) leftOut.push({ name, why: read.why });
      else
        texts.push({
          name,
          text: async () => {
            const again = await textOf(path);
            return 'text' in again ? again.text : '';
          },
        });
    }
    for (const { name, text } of inline)
      if (text.trim() === '') leftOut.push({ name, why: 'it is empty' });
      else texts.push({ name, text: async () => text });
    return texts;
  }

  async put(artifactsDir: string, text: string): Promise<Result<KeptText>> {
    const { sha256, chars } = await measured(text);
    const path = `texts/${sha256}.txt`;
    const file = join(artifactsDir, path);
    try {
      if ((await stat(file).catch(() => null)) === null) await writeWhole(file, text);
      return ok({ sha256, path, chars });
    } catch (cause) {
      return err(notWritten(file, cause));
    }
  }

  async read(artifactsDir: string, path: string): Promise<Result<string>> {
    const file = join(artifactsDir, path);
    try {
      return ok(await readFile(file, 'utf8'));
    } catch (cause) {
      return err(
        appError('not_found', `A text of the run cannot be read: ${wordsOf(cause)}`, { where: { file } }),
      );
    }
  }

  async find(
    artifactsDir: string,
    path: string,
    wanted: readonly string[],
  ): Promise<Result<readonly (number | null)[]>> {
    const text = await this.read(artifactsDir, path);
    return text.ok ? ok(await linesOf(text.value, wanted)) : text;
  }

  hash(text: string): string {
    return createHash('sha256').update(text).digest('hex');
  }

  marker(): string {
    return randomBytes(16).toString('hex');
  }
}

async function textOf(path: string): Promise<ReturnType<typeof decodeText>> {
  try {
    return decodeText(await readFile(path));
  } catch (cause) {
    return { why: `it cannot be read (${wordsOf(cause)})` };
  }
}

async function measured(text: string): Promise<{ sha256: string; chars: number }> {
  const hash = createHash('sha256');
  let chars = 0;
  for (let at = 0; at < text.length; ) {
    const low = text.charCodeAt(at + SLICE);
    const end = Math.min(text.length, at + SLICE + (low >= 0xdc00 && low <= 0xdfff ? 1 : 0));
    const slice = text.slice(at, end);
    hash.update(slice);
    chars += lengthOf(slice);
    at = end;
    if (at < text.length) await new Promise((resolve) => setImmediate(resolve));
  }
  return { sha256: hash.digest('hex'), chars };
}

/** A file that is there is whole. */
async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  try {
    await writeFile(part, text);
    await rename(part, file);
  } catch (cause) {
    await rm(part, { force: true }).catch(() => undefined);
    throw cause;
  }
}

function limitOf(files: readonly FoundFile[], inline: FreezeRequest['inline']): AppError | null {
  if (files.length === 0 && inline.length === 0)
    return appError('input.invalid', 'There are no documents to ask about.', {
      mend: 'Name files or folders, or connect data_in.',
    });
  const bytes =
    files.reduce((sum, file) => sum + file.bytes, 0) + inline.reduce((sum, { text }) => sum + text.length, 0);
  const mend = 'Name fewer or smaller files.';
  if (files.length > MOST_FILES)
    return appError('input.invalid', `${files.length} files are more than ${MOST_FILES}.`, { mend });
  if (bytes <= MOST_BYTES) return null;
  const mb = (much: number): string => `${Math.round(much / 1024 / 1024)} MB`;
  return appError('input.invalid', `The documents have ${mb(bytes)}. The limit is ${mb(MOST_BYTES)}.`, {
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

const wordsOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

const notWritten = (file: string, cause: unknown): AppError => {
  const full = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
  return appError(
    full ? 'store.disk_full' : 'store.failed',
    `A text of the run cannot be written: ${wordsOf(cause)}`,
    { where: { file }, ...(full ? { mend: 'Free some space on the disk; the run goes on by itself.' } : {}) },
  );
};
