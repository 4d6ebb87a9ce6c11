import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** The files that git tracks or would track, by path relative to the root. */
export function trackedFiles() {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  // A deleted file is listed until the deletion is committed.
  return list.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}
