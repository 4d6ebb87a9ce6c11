// biome-ignore lint/style/noRestrictedImports: the files of runs are in Muster's own folder.
import { chmod, open, readdir, rm, stat } from 'node:fs/promises';
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

/** Removes a folder with all that is in it, also where something made folders in it that may not be written. */
export async function removeFolder(path: string): Promise<void> {
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove();
  } catch {
    await openFolders(path);
    await remove();
  }
}

async function openFolders(path: string): Promise<void> {
  await chmod(path, 0o700).catch(() => undefined);
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await openFolders(join(path, entry.name));
}
