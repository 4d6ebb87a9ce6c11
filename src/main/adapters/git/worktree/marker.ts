import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Agents may be able to write the mark, and git would take a word that begins with `-` for an option. */
const objectId = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);
const branchName = z.string().regex(/^(?!-)(?!.*\.\.)[^\p{Cc} ~^:?*[\\]+$/u);

/**
 * Muster's information about a worktree it created. Stored in the worktree's part of the repository, so that
 * it is removed with the worktree and reveals an interrupted creation.
 */
const markerSchema = z.object({
  version: z.literal(1),
  uid: z.string(),
  /** Null: the run's own. */
  key: z.string().nullable(),
  branch: branchName,
  /** The starting commit for diffs of the worktree. */
  base: objectId,
  /** The initial state of its files; null: that of its branch. */
  fill: objectId.nullable(),
  /** The completed stages of its creation, in this order. */
  done: z.enum(['made', 'filled', 'copied', 'set_up']),
  /** Set while the run has ended and its branch is free: the worktree's earlier state. */
  released: z
    .object({
      /** Null: none was checked out. */
      branch: branchName.nullable(),
      head: objectId,
      /** HEAD's commit since then: `head`, or a commit of uncommitted work. */
      commit: objectId,
      /** The tip of the worktree's own branch. */
      tip: objectId,
    })
    .optional(),
});
export type Marker = z.infer<typeof markerSchema>;

const fileOf = (gitDir: string): string => join(gitDir, 'muster.json');

/** Null if Muster did not create the worktree. */
export async function readMarker(gitDir: string): Promise<Marker | null> {
  try {
    return markerSchema.parse(JSON.parse(await readFile(fileOf(gitDir), 'utf8')));
  } catch {
    return null;
  }
}

export async function writeMarker(gitDir: string, marker: Marker): Promise<Marker> {
  await writeFile(`${fileOf(gitDir)}.new`, `${JSON.stringify(marker)}\n`);
  await rename(`${fileOf(gitDir)}.new`, fileOf(gitDir));
  return marker;
}
