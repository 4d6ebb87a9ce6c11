import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside, realPath } from '@main/guarded-files/paths';
import type { LoopPlace } from '../../contract/ports';

/** What Muster reads and writes in a loop's folder; the folder itself first. */
const OWN = ['', 'prd.json', 'progress.txt', 'logs', 'archive', '.last-branch'];

/**
 * Throws if a symbolic link leads one of a loop's files out of its checkout. A repository or worker may
 * create any link: Muster would read its target, and write logs there.
 */
export async function refuseLinks({ cwd, folder }: LoopPlace): Promise<void> {
  const root = await realpath(cwd);
  for (const name of OWN) {
    if (isInside(root, await realPath(join(cwd, folder, name)))) continue;
    throw new Error(
      `${join(folder, name)} is a link that leads out of the project: replace it with the files`,
    );
  }
}
