import { rmSync } from 'node:fs';
import { filesBelow } from '../../adapters/system/machine';

const KEPT = 5;

/** Deletes all but the newest dumps, with what Crashpad noted about each. */
export function dropOldDumps(folder: string): void {
  const files = filesBelow(folder);
  const dumps = files
    .filter(({ name }) => name.endsWith('.dmp'))
    .sort((one, other) => other.at - one.at || one.name.localeCompare(other.name));
  for (const { path } of dumps.slice(KEPT)) {
    for (const file of [path, path.replace(/\.dmp$/, '.meta')]) {
      try {
        rmSync(file, { force: true });
      } catch {
        // It is tried again at the next start.
      }
    }
  }
}
