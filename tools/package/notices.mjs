/**
 * Collects the licences of third-party packages in the packed app: packages in the source maps of the build,
 * packages installed by npm, and packages copied by the build. Runs at each packing, so it is always current.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../lib/paths.mjs';

export const noticesFile = join(root, '.cache', 'package', 'THIRD-PARTY-NOTICES.txt');

/** Copied unchanged by the build, so no source map names them. */
const COPIED = ['node_modules/pyodide', 'node_modules/@fontsource-variable/jetbrains-mono'];

/** Package folders that contain these sources, as in the lockfile: `node_modules/a/node_modules/@b/c`. */
export function packagesOf(sources) {
  const folders = sources.flatMap((source) => {
    const inside = /node_modules\/.*/.exec(source)?.[0] ?? '';
    const found = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(inside)?.[0];
    return found === undefined ? [] : [found];
  });
  return [...new Set(folders)].sort();
}

const mapsIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.map'))
    .map((file) => join(folder, file));

/** Packages whose code the build put into `out`. */
function bundled(out) {
  const sources = mapsIn(out).flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).sources);
  return packagesOf(sources);
}

/** Packages that are packed as npm installs them. */
function installed() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([folder, { dev, devOptional, link }]) => folder !== '' && !dev && !devOptional && !link)
    .map(([folder]) => folder)
    .filter((folder) => existsSync(join(root, folder, 'package.json')));
}

const TEXTS = /^(licen[cs]e|notice|copying)(?![a-z])/i;

function noticeOf(folder) {
  const path = join(root, folder);
  const { name, version, license, licenses, repository, homepage } = JSON.parse(
    readFileSync(join(path, 'package.json'), 'utf8'),
  );
  const texts = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXTS.test(entry.name))
    .map((entry) => readFileSync(join(path, entry.name), 'utf8').trim());
  const licence = license ?? licenses?.map(({ type }) => type).join(' OR ');
  if (licence === undefined && texts.length === 0) throw new Error(`${folder} has no licence`);
  const source = (repository?.url ?? repository ?? homepage ?? '').replace(/^git\+/, '');
  return {
    title: `${name} ${version}`,
    text: [
      `${name} ${version}`,
      `Licence: ${licence?.type ?? licence ?? 'see below'}`,
      ...(source === '' ? [] : [`Source code: ${source}`]),
      '',
      ...(texts.length > 0 ? texts : ['The package ships no licence text.']),
    ].join('\n'),
  };
}

const HEAD = `Third-party notices
===================

Muster contains the packages below.

Electron's own licence, and those of Chromium and Node.js, lie beside the program (LICENSE.electron.txt and
LICENSES.chromium.html). Python and its standard library, which Pyodide contains, are under the licence of the Python
Software Foundation (https://docs.python.org/3/license.html).`;

/** Folders of the packages that are in the packed app, as in the lockfile. `out` is the built app. */
export const shippedPackages = (out) => [...new Set([...bundled(out), ...installed(), ...COPIED])];

/** The whole text. `out` is the built app. */
export function notices(out) {
  const all = shippedPackages(out)
    .map(noticeOf)
    .toSorted((a, b) => a.title.localeCompare(b.title, 'en'));
  const once = [...new Map(all.map((notice) => [notice.title, notice])).values()];
  return `${[HEAD, ...once.map(({ text }) => text)].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

export function writeNotices() {
  mkdirSync(dirname(noticesFile), { recursive: true });
  writeFileSync(noticesFile, notices(join(root, 'out')));
}
