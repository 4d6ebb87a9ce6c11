import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** The files that git tracks or would track, by their paths below the root. */
export function trackedFiles() {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  // One that was deleted and not yet committed is still listed.
  return list.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}
