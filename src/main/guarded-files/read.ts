import type { BigIntStats } from 'node:fs';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, opendir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isInside } from './paths';
import { oneAtATime } from './slow-roots';
import type { Trouble } from './trouble';

interface ReadBytes {
  readonly bytes: Buffer;
  /** In milliseconds since 1970. */
  readonly changedAt: number;
}

interface ReadWish {
  /** The file must be inside it, with links resolved. */
  readonly root: string;
  readonly path: string;
  /** Maximum size; larger files are not read. */
  readonly most: number;
}

const isOf = (cause: unknown, ...codes: string[]): boolean =>
  cause instanceof Error && 'code' in cause && codes.includes(String(cause.code));

/**
 * Opens a file that others may have created: a regular file that is in `root` with links resolved. Opening a
 * FIFO or device could block a thread forever, so neither is opened; a replacement made meanwhile is opened
 * non-blocking, and detected. Null if there is no such file.
 */
export function withGuarded<T extends object>(
  { root, path }: Pick<ReadWish, 'root' | 'path'>,
  use: (file: FileHandle) => Promise<T>,
): Promise<T | Trouble | null> {
  return oneAtATime(root, () => attempt(path, () => opened({ root, path }, use)));
}

async function opened<T>(
  { root, path }: Pick<ReadWish, 'root' | 'path'>,
  use: (file: FileHandle) => Promise<T>,
): Promise<T | Trouble> {
  const real = await realpath(path);
  if (!isInside(await realpath(root), real)) return outside(root, path);
  const seen = await lstat(real, { bigint: true });
  if (!seen.isFile()) return kindOf(seen);
  // Without O_NONBLOCK, opening a FIFO waits for its other end.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const file = await open(real, flags);
  try {
    const facts = await file.stat({ bigint: true });
    if (!facts.isFile()) return kindOf(facts);
    // The same file by the same path: no folder on it was replaced by a link meanwhile.
    if (facts.ino !== seen.ino || facts.dev !== seen.dev || (await realpath(path)) !== real) return SWAPPED;
    return await use(file);
  } finally {
    await file.close();
  }
}

/** Reads such a file completely. */
export function readGuarded({ most, ...where }: ReadWish): Promise<ReadBytes | Trouble | null> {
  return withGuarded<ReadBytes | Trouble>(where, async (file) => {
    const { size, mtimeMs } = await file.stat();
    if (size > most) return tooLarge(most);
    const bytes = await upTo(file, most + 1);
    return bytes.length > most ? tooLarge(most) : { bytes, changedAt: Math.floor(mtimeMs) };
  });
}

/** Its size may be wrong, as in /proc, or grow meanwhile. */
async function upTo(file: FileHandle, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let length = 0; length < most; ) {
    const chunk = Buffer.alloc(Math.min(64 * 1024, most - length));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    length += bytesRead;
  }
  return Buffer.concat(chunks);
}

/** The same for UTF-8 text. */
export async function readGuardedText(
  wish: ReadWish,
): Promise<{ readonly text: string; readonly changedAt: number } | Trouble | null> {
  const read = await readGuarded(wish);
  if (read === null || 'trouble' in read) return read;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(read.bytes);
    return { text, changedAt: read.changedAt };
  } catch {
    return { trouble: 'it is not in UTF-8', mend: 'save it as UTF-8' };
  }
}

/** Maximum names listed: a folder with a million must not exhaust memory. */
const MOST_NAMES = 2_000;

/** The sorted names in a folder of `root`; empty if there is no such folder, or it leads out of `root`. */
export async function listGuarded(root: string, folder: string): Promise<readonly string[]> {
  const path = join(root, folder);
  const found = await oneAtATime(root, () =>
    attempt(path, async () => {
      const real = await realpath(path);
      if (!isInside(await realpath(root), real)) return OUTSIDE;
      const names: string[] = [];
      for await (const { name } of await opendir(real)) {
        names.push(name);
        if (names.length === MOST_NAMES) break;
      }
      return names.sort();
    }),
  );
  return found === null || 'trouble' in found ? [] : found;
}

/** Its size if it is a regular file in `root`, without opening it. */
export async function sizeGuarded(
  root: string,
  path: string,
): Promise<{ readonly real: string; readonly size: number } | Trouble | null> {
  return oneAtATime(root, () =>
    attempt(path, async () => {
      const real = await realpath(path);
      if (!isInside(await realpath(root), real)) return outside(root, path);
      const facts = await lstat(real, { bigint: true });
      return facts.isFile() ? { real, size: Number(facts.size) } : kindOf(facts);
    }),
  );
}

const OUTSIDE: Trouble = {
  trouble: 'the file is a link to outside its folder',
  mend: 'replace it with the text',
};
const ELSEWHERE: Trouble = {
  trouble: 'the path leads to outside its folder',
  mend: 'name a file inside the folder',
};
/** A path that names another place is told apart from a link that leads there. */
const outside = (root: string, path: string): Trouble =>
  isInside(resolve(root), resolve(path)) ? OUTSIDE : ELSEWHERE;
const SWAPPED: Trouble = { trouble: 'it changed while it was read', mend: 'try again' };
const tooLarge = (most: number): Trouble => ({
  trouble: `the file is larger than ${most >= 2 ** 20 ? `${most / 2 ** 20} MB` : `${most / 1024} kB`}`,
  mend: 'shorten it',
});

function kindOf(facts: BigIntStats): Trouble {
  const kind = facts.isDirectory()
    ? 'a folder'
    : facts.isFIFO()
      ? 'a named pipe'
      : facts.isSocket()
        ? 'a socket'
        : facts.isFile()
          ? 'a file'
          : 'a device';
  return { trouble: `it is ${kind}, not a text file`, mend: 'put a text file here' };
}

async function attempt<T>(path: string, work: () => Promise<T>): Promise<T | Trouble | null> {
  try {
    return await work();
  } catch (cause) {
    if (isOf(cause, 'ENOENT', 'ENOTDIR')) {
      const link = await lstat(path).catch(() => null);
      return link?.isSymbolicLink()
        ? { trouble: 'it is a broken link', mend: 'replace it with the text' }
        : null;
    }
    if (isOf(cause, 'ELOOP', 'ENXIO')) return SWAPPED;
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    return { trouble: `it cannot be read: ${cause.message}`, mend: 'make it readable' };
  }
}
