/**
 * Packs the built app for this system into dist/: the folder with the program, the list of what is in it, and the packages.
 *
 *   --dir              only the folder
 *   --only=deb,rpm     only these packages
 *   --fast             compress for a test, not for a download
 *   --check            show large files, and fail where a package has grown by more than 5 %
 *   --record           record the sizes to compare with
 *
 * Exit codes: 0 done; 1 failed, or grown; 3 a package could not be made here, which is named.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { modules, root } from '../lib/paths.mjs';
import { must, run } from '../lib/run.mjs';
import { writeNotices } from './notices.mjs';
import { writeSbom } from './sbom.mjs';
import { checkSizes } from './sizes.mjs';

const NOT_MADE = 3;
const { values: wanted } = parseArgs({
  options: {
    dir: { type: 'boolean', default: false },
    only: { type: 'string' },
    fast: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
});
const { electron } = JSON.parse(readFileSync(modules('.cache', 'muster', 'setup.json'), 'utf8'));
const say = (line) => console.log(`package: ${line}`);
const dist = join(root, 'dist');

const FOLDERS = { linux: 'linux-unpacked', win32: 'win-unpacked', darwin: 'mac' };
const arm = process.arch === 'arm64' ? '-arm64' : '';
const unpacked = join(dist, FOLDERS[process.platform].replace(/(?=-unpacked)|$/, arm));

const builder = (targets) => [
  modules('electron-builder', 'cli.js'),
  ...targets,
  '--publish=never',
  '--config=tools/package/builder.mjs',
  `-c.electronDist=${realpathSync(modules('electron', 'dist'))}`,
  `-c.electronVersion=${electron.version}`,
];

/** electron-builder downloads its tools for these when it makes them first. */
const byBuilder = (target) => async () => {
  const { code, output } = await run(process.execPath, [...builder([target]), `--prepackaged=${unpacked}`], {
    cwd: root,
  });
  // The first line that it marks as fatal; a stack follows.
  const reason = output.split('\n').find((line) => line.includes('⨯')) ?? `it ended with code ${code}`;
  if (code !== 0) throw new Error(reason.replace(/^\s*⨯\s*/, ''));
  return null;
};

/** Each package of this system by name; resolves with its path where its size is compared. */
async function packagesOf(platform) {
  if (platform === 'win32') return { nsis: byBuilder('--win=nsis') };
  if (platform === 'darwin') return { dmg: byBuilder('--mac=dmg'), zip: byBuilder('--mac=zip') };
  const { makeDeb, makeRpm } = await import('./linux/packages.mjs');
  const given = { source: unpacked, out: dist, fast: wanted.fast };
  return {
    deb: () => makeDeb(given),
    rpm: () => makeRpm(given),
    AppImage: byBuilder('--linux=AppImage'),
  };
}

process.chdir(root);
if (electron.kind === 'stand-in')
  say(`with the STAND-IN Electron ${electron.version}. Good to test the packing, not to be shipped.`);
writeNotices();
await must(process.execPath, builder(['--dir']), { cwd: root });
say(`${unpacked.slice(root.length + 1)} is packed`);
say(`${(await writeSbom(dist, electron.version)).slice(root.length + 1)} lists what is in it`);

const made = {};
const missing = [];
const all = wanted.dir ? {} : await packagesOf(process.platform);
const names = wanted.only?.split(',') ?? Object.keys(all);
const unknown = names.filter((name) => !Object.hasOwn(all, name));
if (!wanted.dir && unknown.length > 0)
  throw new Error(
    `no package ${unknown.join(', ')} on this system: choose of ${Object.keys(all).join(', ')}`,
  );
for (const name of wanted.dir ? [] : names) {
  try {
    const path = await all[name]();
    if (path !== null)
      made[`${process.platform}-${process.arch} ${name}, Electron ${electron.version}`] = path;
    say(`${path === null ? name : path.slice(root.length + 1)} is made`);
  } catch (error) {
    missing.push(name);
    say(`NOT MADE: ${name}: ${error.message.trim().split('\n')[0]}`);
  }
}
const fits = !wanted.check && !wanted.record ? true : checkSizes(unpacked, made, { record: wanted.record });
if (!fits) process.exitCode = 1;
else if (missing.length > 0) process.exitCode = NOT_MADE;
