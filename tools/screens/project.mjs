import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const WAIT_MS = 120_000;
const LOOK_MS = 100;

/** A folder with these files, as a repository with one commit. */
export function makeProject(path, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, dirname(name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  const git = (...args) =>
    execFileSync('git', [
      '-c',
      'user.name=Sample',
      '-c',
      'user.email=sample@muster.invalid',
      '-C',
      path,
      ...args,
    ]);
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
}

export async function until(what, look) {
  for (let waited = 0; waited < WAIT_MS; waited += LOOK_MS) {
    // A call is rejected while the core restarts.
    if (await look().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  // The other pictures are still useful.
  console.error(`screens: the sample did not come to rest: ${what}`);
}
