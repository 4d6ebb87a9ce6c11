import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { copyFile, type FileHandle, link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '@contract/error-message';
import { type AppError, appError } from '@contract/errors';
import { EVENT_TEXT_BYTES, PREVIEW_CHARS } from '@contract/limits';
import { err, ok, type Result } from '@contract/result';
import { exceedsUtf8 } from '@contract/text-length';
import type { LargeText, WholeText } from '@contract/whole-text';
import { type RunTextFiles, TextFault, type WholeTexts } from '../../core/ports/whole-texts';
import { HELD_TEXT_CHARS } from '../../limits/core-sizes';

/** Characters written and hashed before yielding to other work. */
const SLICE = 256 * 1024;
/** The most that UTF-8 takes for one unit of a string; a pair of them takes four. */
const UTF8_BYTES_A_UNIT = 3;
/** Readable only, so that no editor changes what is addressed by its hash. */
const MODE = 0o400;

type Named = Pick<LargeText, 'sha256'>;

interface Held {
  readonly text: string;
  readonly large: LargeText;
  /** Runs' folders that are known to have the file. */
  readonly folders: Set<string>;
}

/** The large texts of all runs, each as a file in `texts` of its run's folder. Those used last stay in memory. */
export class TextFiles implements RunTextFiles {
  readonly #byHash = new Map<string, Held>();
  readonly #byText = new Map<string, Held>();
  #chars = 0;

  constructor(private readonly mostChars = HELD_TEXT_CHARS) {}

  of(artifactsDir: string): WholeTexts {
    const path = ({ sha256 }: Named): string => join(artifactsDir, 'texts', `${sha256}.txt`);
    return {
      keep: (text) => this.#keep(artifactsDir, text),
      keepLater: (text) => this.#keepLater(artifactsDir, text),
      keepFile: (file, sha256) => keepFile(file, { sha256, kept: path({ sha256 }) }),
      read: (text) => this.#read(artifactsDir, text, path(text)),
      path,
    };
  }

  async share(texts: Iterable<Named>, from: string, to: string): Promise<Result<void>> {
    const [source, target] = [this.of(from), this.of(to)];
    try {
      await mkdir(join(to, 'texts'), { recursive: true });
      for (const text of texts) await linked(source.path(text), target.path(text));
      return ok(undefined);
    } catch (cause) {
      return err(notWritten(to, cause));
    }
  }

  #keep(artifactsDir: string, given: string): WholeText {
    if (!isLong(given)) return given;
    const known = this.#known(artifactsDir, given);
    if (known !== null) return known;
    const text = wellFormed(given);
    const bytes = Buffer.from(text);
    const large = largeText(text, {
      sha256: createHash('sha256').update(bytes).digest('hex'),
      bytes: bytes.length,
    });
    try {
      writeWhole(artifactsDir, large.sha256, bytes);
    } catch (cause) {
      throw new TextFault(notWritten(artifactsDir, cause));
    }
    return this.#hold(artifactsDir, text, large);
  }

  async #keepLater(artifactsDir: string, given: string): Promise<Result<WholeText>> {
    if (!isLong(given)) return ok(given);
    const known = this.#known(artifactsDir, given);
    if (known !== null) return ok(known);
    const text = wellFormed(given);
    try {
      const written = await writeSlices(artifactsDir, text);
      return ok(this.#hold(artifactsDir, text, largeText(text, written)));
    } catch (cause) {
      return err(notWritten(artifactsDir, cause));
    }
  }

  #known(artifactsDir: string, text: string): LargeText | null {
    const held = this.#byText.get(text);
    return held?.folders.has(artifactsDir) ? this.#touched(held).large : null;
  }

  #read(artifactsDir: string, { sha256 }: Named, file: string): string {
    const held = this.#byHash.get(sha256);
    if (held?.folders.has(artifactsDir)) return this.#touched(held).text;
    let bytes: Buffer;
    try {
      bytes = readFileSync(file);
    } catch (cause) {
      throw new TextFault(notRead(file, messageOf(cause)));
    }
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw new TextFault(notRead(file, 'it was changed after it was stored'));
    const text = bytes.toString('utf8');
    this.#hold(artifactsDir, text, largeText(text, { sha256, bytes: bytes.length }));
    return text;
  }

  #hold(artifactsDir: string, text: string, large: LargeText): LargeText {
    const known = this.#byHash.get(large.sha256);
    if (known !== undefined) {
      known.folders.add(artifactsDir);
      return this.#touched(known).large;
    }
    const held: Held = { text, large, folders: new Set([artifactsDir]) };
    this.#byHash.set(large.sha256, held);
    this.#byText.set(text, held);
    this.#chars += text.length;
    for (const old of this.#byHash.values()) {
      // The newest stays, whatever its size: it is about to be used.
      if (this.#chars <= this.mostChars || old === held) break;
      this.#byHash.delete(old.large.sha256);
      this.#byText.delete(old.text);
      this.#chars -= old.text.length;
    }
    return large;
  }

  /** Used last, so forgotten last. */
  #touched(held: Held): Held {
    this.#byHash.delete(held.large.sha256);
    this.#byHash.set(held.large.sha256, held);
    return held;
  }
}

/** Its beginning and its end are read, whatever its size. */
async function keepFile(
  file: string,
  { sha256, kept }: { readonly sha256: string; readonly kept: string },
): Promise<Result<LargeText>> {
  try {
    await mkdir(dirname(kept), { recursive: true });
    // A copy: the file may be written again, and a text never changes under its hash.
    if (!existsSync(kept)) {
      const part = `${kept}.${randomBytes(8).toString('hex')}.part`;
      await copyFile(file, part, constants.COPYFILE_FICLONE);
      await rename(part, kept);
    }
    const handle = await open(kept, 'r');
    try {
      const { size: bytes } = await handle.stat();
      const part = async (at: number): Promise<string> => {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(PREVIEW_CHARS), 0, PREVIEW_CHARS, at);
        return buffer.toString('utf8', 0, bytesRead);
      };
      const preview = { first: await part(0), last: await part(Math.max(0, bytes - PREVIEW_CHARS)) };
      return ok({ sha256, bytes, preview });
    } finally {
      await handle.close();
    }
  } catch (cause) {
    return err(notWritten(file, cause));
  }
}

/** One that is there already has the same content. A file system may have no links. */
async function linked(from: string, to: string): Promise<void> {
  if (existsSync(to)) return;
  await link(from, to).catch(() => copyFile(from, to));
}

const isLong = (text: string): boolean => exceedsUtf8(text, EVENT_TEXT_BYTES);

/** A file has UTF-8, which has no half characters. */
const wellFormed = (text: string): string =>
  /\p{Surrogate}/u.test(text) ? Buffer.from(text).toString('utf8') : text;

function largeText(text: string, { sha256, bytes }: Pick<LargeText, 'sha256' | 'bytes'>): LargeText {
  const first = wellFormed(text.slice(0, PREVIEW_CHARS));
  const last = wellFormed(text.slice(-PREVIEW_CHARS));
  return { sha256, bytes, preview: { first, last } };
}

/** A file with such a name is complete: it gets the name after it is on the disk. */
function writeWhole(artifactsDir: string, sha256: string, bytes: Buffer): void {
  const folder = join(artifactsDir, 'texts');
  mkdirSync(folder, { recursive: true });
  const part = join(folder, `${randomBytes(8).toString('hex')}.part`);
  try {
    const file = openSync(part, 'wx', MODE);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(part, join(folder, `${sha256}.txt`));
  } catch (cause) {
    if (existsSync(part)) rmSync(part, { force: true });
    throw cause;
  }
}

async function writeSlices(artifactsDir: string, text: string): Promise<Pick<LargeText, 'sha256' | 'bytes'>> {
  const folder = join(artifactsDir, 'texts');
  await mkdir(folder, { recursive: true });
  const part = join(folder, `${randomBytes(8).toString('hex')}.part`);
  try {
    const file = await open(part, 'wx', MODE);
    const { sha256, bytes } = await hashedInto(file, text).finally(() => file.close());
    await rename(part, join(folder, `${sha256}.txt`));
    return { sha256, bytes };
  } catch (cause) {
    await rm(part, { force: true }).catch(() => undefined);
    throw cause;
  }
}

async function hashedInto(file: FileHandle, text: string): Promise<Pick<LargeText, 'sha256' | 'bytes'>> {
  const hash = createHash('sha256');
  // One buffer for all slices: new memory costs more than what is written into it.
  const buffer = Buffer.allocUnsafe(UTF8_BYTES_A_UNIT * (SLICE + 1));
  let bytes = 0;
  for (let at = 0; at < text.length; ) {
    // Both halves of a pair belong to one character.
    const low = text.charCodeAt(at + SLICE);
    const end = at + SLICE + (low >= 0xdc00 && low <= 0xdfff ? 1 : 0);
    const slice = buffer.subarray(0, buffer.write(text.slice(at, end)));
    hash.update(slice);
    bytes += slice.length;
    await file.writeFile(slice);
    at = end;
  }
  await file.sync();
  return { sha256: hash.digest('hex'), bytes };
}

const notRead = (file: string, why: string): AppError =>
  appError('reference.unreadable', `A text of the run cannot be read: ${why}`, {
    where: { file },
    mend: 'Run the step that made it again.',
  });

const notWritten = (file: string, cause: unknown): AppError => {
  const full = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
  return appError(
    full ? 'store.disk_full' : 'store.failed',
    `A text of the run cannot be written: ${messageOf(cause)}`,
    {
      where: { file },
      mend: full ? 'Free some space on the disk.' : 'Check the permissions of the data folder.',
    },
  );
};
