/**
 * One temporary folder for a whole test run. Tests and the programs they start use it as the system's
 * temporary folder, so their leftovers are removed with the run.
 */
import { mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { lives } from './lives.mjs';

/** Short, because paths of Unix sockets in it are limited to about 100 bytes. */
const PREFIX = 'muster-t';

export function testFolder() {
  removeLeftovers();
  const path = join(tmpdir(), `${PREFIX}${process.pid}`);
  mkdirSync(path, { recursive: true });
  // Tests make folders that are in no repository, although the temporary folder may be in one.
  const ceilings = [path, realpathSync(path)].join(delimiter);
  return {
    env: { TMPDIR: path, TEMP: path, TMP: path, GIT_CEILING_DIRECTORIES: ceilings },
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

/** A killed run could not remove its folder. */
function removeLeftovers() {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : Number.NaN;
    if (Number.isInteger(pid) && !lives(pid))
      rmSync(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 10 });
  }
}

/** For vitest's `globalSetup`. */
export default function setup() {
  const folder = testFolder();
  Object.assign(process.env, folder.env);
  return () => folder.remove();
}
