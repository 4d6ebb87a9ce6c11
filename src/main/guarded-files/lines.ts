import type { Stats } from 'node:fs';
import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { withGuarded } from './read';
import type { Trouble } from './trouble';

interface LineLimits {
  readonly fileBytes: number;
  readonly lineBytes: number;
}

const CHUNK_BYTES = 256 * 1024;
const NEW_LINE = 10;

/**
 * The lines of a file that the operator named, which may be a pipe, a device or a text without an end. Each chunk is
 * a read of its own, so other calls are answered meanwhile. Null if there is no such file.
 */
export async function namedLines(
  path: string,
  limits: LineLimits,
): Promise<AsyncGenerator<string, Trouble | null> | Trouble | null> {
  // The operator may name a link to anywhere; what it leads to is held to the same rules.
  const real = await realpath(path).catch(() => path);
  const checked = await withGuarded({ root: dirname(real), path: real }, (file) => file.stat());
  if (checked === null || 'trouble' in checked) return checked;
  const { size, ino } = checked;
  if (size > limits.fileBytes)
    return { trouble: `it is larger than ${megabytes(limits.fileBytes)}`, mend: 'name a smaller file' };
  return linesOf({ path: real, ino, size }, limits);
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;

/** What is written to the file after the first look is not read: a growing file has an end too. */
async function* linesOf(
  { path, ino, size }: { path: string } & Pick<Stats, 'ino' | 'size'>,
  { lineBytes }: LineLimits,
): AsyncGenerator<string, Trouble | null> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const facts = await file.stat();
    if (!facts.isFile() || facts.ino !== ino)
      return { trouble: 'it changed while it was read', mend: 'try again' };
    // Joined once a line is complete: joining at each chunk would take quadratic time for a long line.
    let parts: Buffer[] = [];
    let length = 0;
    for await (const chunk of chunksOf(file, size)) {
      let from = 0;
      for (let end = chunk.indexOf(NEW_LINE); end >= 0; end = chunk.indexOf(NEW_LINE, from)) {
        yield textOf([...parts, chunk.subarray(from, end)]);
        parts = [];
        length = 0;
        from = end + 1;
      }
      parts.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > lineBytes)
        return { trouble: `it has a line of more than ${megabytes(lineBytes)}`, mend: 'name another file' };
    }
    if (length > 0) yield textOf(parts);
    return null;
  } finally {
    await file.close();
  }
}

async function* chunksOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - at));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

const textOf = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString('utf8').replace(/\r$/, '');
