import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of all files below a folder; a folder that is not there has none. */
export async function folderBytes(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(join(entry.parentPath, entry.name)).then(
          (facts) => facts.size,
          () => 0,
        ),
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The last `bytes` of a file as text. */
export async function readTail(path: string, bytes: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const length = Math.min(size, bytes);
    const { buffer } = await file.read({ buffer: Buffer.alloc(length), position: size - length });
    return buffer.toString('utf8');
  } finally {
    await file.close();
  }
}
