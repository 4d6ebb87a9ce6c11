import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../lib/paths.mjs';
import { npm, run } from '../lib/run.mjs';
import { pinned, programs } from './pinned.mjs';

const START_MS = 60_000;

/**
 * Returns the folder with the agents' programs. They are outside node_modules, because they take 1.5 GB and
 * are not part of Muster. Each set of versions has its own folder, which is either complete or missing.
 */
export async function installAgents(say) {
  const all = join(cacheFolder, 'agents');
  const key = createHash('sha256').update(JSON.stringify([pinned, process.platform, process.arch]));
  const folder = join(all, key.digest('hex').slice(0, 12));
  if (existsSync(folder)) say(`using those in ${folder}`);
  else await fetchAgents(all, folder, say);
  return join(folder, 'bin');
}

async function fetchAgents(all, folder, say) {
  await rm(all, { recursive: true, force: true });
  await mkdir(all, { recursive: true });
  const work = await mkdtemp(`${folder}-`);
  try {
    say('fetching them from npm (1.5 GB unpacked)');
    await writeFile(join(work, 'package.json'), `${JSON.stringify(pinned, null, 2)}\n`);
    await npm(['install', '--no-package-lock', '--loglevel=error'], { cwd: work });
    await linkPrograms(work);
    await checkStart(work, say);
    await rename(work, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Not named node_modules/.bin, because Muster takes that for the folder of the script that started it. */
async function linkPrograms(work) {
  await mkdir(join(work, 'bin'));
  for (const program of Object.keys(programs)) {
    await symlink(join('..', 'node_modules', '.bin', program), join(work, 'bin', program));
  }
}

/** A package without its platform's binary installs successfully but never starts. */
async function checkStart(work, say) {
  const env = { ...process.env, HOME: join(work, 'home') };
  for (const [program, version] of Object.entries(programs)) {
    const { output } = await run(join(work, 'bin', program), ['--version'], { env, limit: START_MS });
    if (!output.includes(version)) throw new Error(`${program} ${version} does not start: ${output}`);
    say(`${program} ${version} starts`);
  }
}
