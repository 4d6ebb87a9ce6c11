// biome-ignore lint/style/noRestrictedImports: runs' files are in Muster's own folder.
import { chmod, open, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { segmentPath, segmentStart } from '@areas/terminals/contract/files';

/** Total bytes of all files below a folder; 0 if it does not exist. */
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
async function readTail(path: string, bytes: number): Promise<string> {
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

/**
 * The end of what a program printed, and how much that was in all. A long output of a terminal is in several files, of
 * which the first is emptied once it is too much.
 */
export async function printedEnd(
  path: string,
  bytes: number,
): Promise<{ readonly text: string; readonly totalBytes: number }> {
  const names = await readdir(dirname(path)).catch(() => []);
  const starts = names.flatMap((name) => segmentStart(basename(path), name) ?? []);
  starts.sort((one, other) => other - one);
  const last = starts[0] ?? 0;
  const size = async (start: number): Promise<number> =>
    stat(segmentPath(path, start)).then(
      (facts) => facts.size,
      () => 0,
    );
  const totalBytes = last + (await size(last));
  let text = '';
  let room = bytes;
  for (const start of starts) {
    const part = Math.min(room, await size(start));
    if (part > 0) text = (await readTail(segmentPath(path, start), part)) + text;
    room -= part;
    if (room <= 0) break;
  }
  return { text, totalBytes };
}

/** Removes a folder with its content, even if some folders inside are not writable. */
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
