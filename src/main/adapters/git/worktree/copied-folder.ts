import { constants } from 'node:fs';
import { cp, lstat, mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { WorkspaceRun } from '../../../core/ports/workspaces/workspaces';
import { type CheckoutOptions, isFolder, shadowDir } from '../checkout';
import { Git } from '../command/git-command';

/**
 * Copies a plain folder with its content. The copy has a temporary name until it is complete; an interrupted
 * one is unused, and made again from the beginning.
 */
export async function copyFolder(from: string, to: string): Promise<void> {
  if (await isFolder(to)) return;
  const making = `${to}.making`;
  await rm(making, { recursive: true, force: true });
  await mkdir(dirname(to), { recursive: true });
  await cp(from, making, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    mode: constants.COPYFILE_FICLONE,
    // Sockets and pipes of programs running there cannot be copied.
    filter: async (source) => {
      const facts = await lstat(source);
      return facts.isFile() || facts.isDirectory() || facts.isSymbolicLink();
    },
  });
  await rename(making, to);
}

/** Creates a run's plain folder from another run's snapshot; atomically, like a copy. */
export async function fillFolder(
  options: CheckoutOptions,
  { begins }: WorkspaceRun,
  to: string,
): Promise<void> {
  if (begins === undefined || (await isFolder(to))) return;
  const making = `${to}.making`;
  await rm(making, { recursive: true, force: true });
  await mkdir(making, { recursive: true });
  const index = `${making}.index`;
  await rm(index, { force: true });
  const env = { GIT_DIR: shadowDir(begins.artifactsDir), GIT_WORK_TREE: making, GIT_INDEX_FILE: index };
  await new Git(making, options.git, env).bytes(['read-tree', '--reset', '-u', begins.commit]);
  await rm(index, { force: true });
  await rename(making, to);
}
