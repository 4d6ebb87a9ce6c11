import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** An agent may write where the mark lies, and git would take a word that begins with `-` for an option. */
const objectId = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);
const branchName = z.string().regex(/^(?!-)(?!.*\.\.)[^\p{Cc} ~^:?*[\\]+$/u);

/**
 * What Muster knows of a worktree that it made. It is in the worktree's part of the repository, so that it goes with
 * the worktree, and a crash in the middle of making one is seen.
 */
const markerSchema = z.object({
  version: z.literal(1),
  uid: z.string(),
  /** Null: the run's own. */
  key: z.string().nullable(),
  branch: branchName,
  /** What diffs of the worktree begin with. */
  base: objectId,
  /** The state that its files are to have at first; null: that of its branch. */
  fill: objectId.nullable(),
  /** What was done of the making, in this order. */
  done: z.enum(['made', 'filled', 'copied', 'set_up']),
  /** Set while the run has ended and its branch is free: how the worktree was before. */
  released: z
    .object({
      /** Null: none was checked out. */
      branch: branchName.nullable(),
      head: objectId,
      /** What HEAD is at since then: `head`, or a commit of what was not committed. */
      commit: objectId,
      /** Where the worktree's own branch was. */
      tip: objectId,
    })
    .optional(),
});
export type Marker = z.infer<typeof markerSchema>;

const fileOf = (gitDir: string): string => join(gitDir, 'muster.json');

/** Null where Muster did not make the worktree. */
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
