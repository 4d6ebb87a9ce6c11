import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** HEAD's position; `branch` is the full ref name, null if HEAD is detached. */
const tipSchema = z.object({
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  tree: z.string(),
});
export type Tip = z.infer<typeof tipSchema>;

/** A checkout change that was begun. Paths are `latin1` strings of their bytes. */
const entrySchema = z.object({
  version: z.literal(1),
  id: z.string(),
  /** Description for people: "Merge the work of S1". */
  what: z.string(),
  /**
   * `merge`: the branch moves forward. `branch`: another branch is checked out. `files`: only files change.
   */
  kind: z.enum(['merge', 'branch', 'files']),
  top: z.string(),
  gitDir: z.string(),
  /** Muster's index of a checkout; null: the operator's own index changes. */
  index: z.string().nullable(),
  from: tipSchema,
  to: tipSchema,
  /** Changed files that the operator had already staged with their new content: git leaves them alone. */
  kept: z.array(z.string()),
  startedAt: z.number(),
});
export type MoveEntry = z.infer<typeof entrySchema>;

/** One folder per change that has begun and is not known to have ended, beside the database. */
export class MoveJournal {
  constructor(private readonly dir: string) {}

  newId(): string {
    return randomBytes(8).toString('hex');
  }

  folder(id: string): string {
    return join(this.dir, id);
  }

  /** Durable when it returns: the checkout changes only afterwards. */
  async begin(entry: MoveEntry): Promise<void> {
    const folder = this.folder(entry.id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await open(join(folder, 'move.json.new'), 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify(entry));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(join(folder, 'move.json.new'), join(folder, 'move.json'));
    for (const each of [folder, this.dir]) await syncFolder(each);
  }

  async clear(id: string): Promise<void> {
    // The entry is removed first: a folder without one is meaningless.
    await rm(join(this.folder(id), 'move.json'), { force: true });
    await rm(this.folder(id), { recursive: true, force: true });
  }

  async all(): Promise<readonly MoveEntry[]> {
    const ids = await readdir(this.dir).catch(() => []);
    const read = await Promise.all(ids.map((id) => this.#read(id)));
    return read.filter((entry) => entry !== null).sort((one, other) => one.startedAt - other.startedAt);
  }

  async #read(id: string): Promise<MoveEntry | null> {
    try {
      return entrySchema.parse(JSON.parse(await readFile(join(this.folder(id), 'move.json'), 'utf8')));
    } catch {
      // Killed before it was written: nothing had begun.
      return null;
    }
  }
}

/** Windows cannot open folders; NTFS preserves the order by itself. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
