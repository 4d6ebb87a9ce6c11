import { existsSync } from 'node:fs';
import { needsVirtualDisplay } from '../lib/display.mjs';
import { must, onPath, run } from '../lib/run.mjs';

/** Shared libraries that Electron opens on Linux, with Debian's packages for them. */
const LIBRARIES = [
  ['libgtk-3.so.0', 'libgtk-3-0'],
  ['libnss3.so', 'libnss3'],
  ['libasound.so.2', 'libasound2'],
  ['libgbm.so.1', 'libgbm1'],
  ['libXss.so.1', 'libxss1'],
  ['libatk-bridge-2.0.so.0', 'libatk-bridge2.0-0'],
  ['libcups.so.2', 'libcups2'],
];
const PROGRAMS = [['git', 'git']];
const DISPLAY_PROGRAMS = [['Xvfb', 'xvfb']];
const BUILD_PROGRAMS = [
  ['make', 'build-essential'],
  ['g++', 'build-essential'],
  ['python3', 'python3'],
];

/**
 * The system libraries that Electron needs; installs Debian's packages as root, otherwise throws the command
 * to run.
 */
export async function setUpSystem({ say }) {
  const programs = [...PROGRAMS, ...(needsVirtualDisplay() ? DISPLAY_PROGRAMS : [])];
  const missing = programs.filter(([program]) => !onPath(program) && !onPath(`${program}.exe`));
  if (process.platform === 'linux') missing.push(...(await missingLibraries(say)));
  await provide(missing, { say, purpose: 'to run Electron' });
}

export async function needBuildTools(say) {
  if (process.platform === 'linux') {
    const missing = BUILD_PROGRAMS.filter(([program]) => !onPath(program));
    return provide(missing, { say, purpose: 'to compile better-sqlite3' });
  }
  const tools =
    process.platform === 'darwin' ? 'the Xcode command line tools' : 'the C++ build tools and Python 3';
  say(`this takes ${tools}; with Node 22.14 or newer and the official Electron nothing is compiled`);
}

/** By library name instead of package, because distributions and releases name the packages differently. */
async function missingLibraries(say) {
  const ldconfig = ['/sbin/ldconfig', '/usr/sbin/ldconfig'].find((file) => existsSync(file)) ?? 'ldconfig';
  const { code, output } = await run(ldconfig, ['-p']);
  if (code !== 0) {
    say(
      'the shared libraries could not be listed (no ldconfig); if Electron does not start, it names what it misses',
    );
    return [];
  }
  return LIBRARIES.filter(([library]) => !output.includes(`\t${library} `));
}

async function provide(missing, { say, purpose }) {
  if (missing.length === 0) return;
  const names = missing.map(([name]) => name).join(', ');
  if (!onPath('apt-get'))
    throw new Error(`missing ${purpose}: ${names}. Install them with your package manager.`);
  const wanted = [...new Set(missing.map(([, debian]) => debian))];
  if (process.getuid?.() !== 0) {
    const packages = await currentNames(wanted);
    throw new Error(`missing ${purpose}: ${names}. Run this, then start again:
  sudo apt-get update && sudo apt-get install -y ${packages.join(' ')}`);
  }
  await aptInstall(wanted, { say, purpose });
}

async function aptInstall(wanted, { say, purpose }) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Another installation on this machine may be running.
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  say(`missing ${purpose}: ${wanted.join(', ')}; installing with apt-get`);
  await must('apt-get', ['update', '-qq', ...wait], { env, limit: 5 * 60_000 });
  const packages = await currentNames(wanted);
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...wait];
  await must('apt-get', [...install, ...packages], { env, limit: 15 * 60_000 });
  say(`installed ${packages.join(', ')}`);
}

/** Debian 13 and Ubuntu 24.04 have renamed some libraries to end in t64. */
async function currentNames(packages) {
  const renamed = packages.map(async (name) => {
    const { code } = name.startsWith('lib') ? await run('apt-cache', ['show', `${name}t64`]) : { code: 1 };
    return code === 0 ? `${name}t64` : name;
  });
  return Promise.all(renamed);
}
