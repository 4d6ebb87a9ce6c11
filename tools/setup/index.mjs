/**
 * Sets up everything that Muster needs and npm install does not provide: system libraries, an Electron, a
 * better-sqlite3 that loads in both runtimes. Run by start, dev and test; ends at once if everything is up to
 * date.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { needsVirtualDisplay } from '../lib/display.mjs';
import { electronExecutable, modules, packageVersion, root } from '../lib/paths.mjs';
import { onPath } from '../lib/run.mjs';
import { setUpElectron } from './electron.mjs';
import { compiledBinary, setUpSqlite } from './sqlite.mjs';
import { setUpSystem } from './system.mjs';

const stampFile = modules('.cache', 'muster', 'setup.json');
const say = (line) => console.log(`set-up: ${line}`);

/**
 * Everything that the result depends on, including the set-up's own files: a change to them runs it again.
 */
function currentKey() {
  const folder = join(root, 'tools', 'setup');
  const hash = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    if (/\.(mjs|cjs|json)$/.test(name)) hash.update(readFileSync(join(folder, name)));
  }
  const versions = ['electron', 'better-sqlite3'].map((name) => `${name}@${packageVersion(name)}`);
  const runtime = [process.version, process.platform, process.arch, process.versions.napi];
  return [...versions, ...runtime, hash.digest('hex').slice(0, 16)].join(' ');
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return undefined;
  }
}

const stillThere = (stamp) =>
  electronExecutable() !== undefined &&
  existsSync(compiledBinary) === stamp.sqlite.compiled &&
  (!needsVirtualDisplay() || onPath('Xvfb'));

async function setUp() {
  const started = Date.now();
  const retry = process.argv.includes('--retry');
  const key = currentKey();
  const stamp = readStamp();
  if (!retry && stamp?.key === key && stillThere(stamp)) {
    const note = stamp.electron.kind === 'stand-in' ? 'STAND-IN, not the official one' : 'official';
    return say(`nothing to do (Electron ${stamp.electron.version}, ${note})`);
  }
  await setUpSystem({ say });
  const electron = await setUpElectron({ say, retry, known: stamp?.electron });
  if (electron.kind === 'official') say(`Electron ${electron.version}, the official binary`);
  const sqlite = await setUpSqlite({ say });
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, `${JSON.stringify({ key, electron, sqlite }, null, 2)}\n`);
  say(`done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

setUp().catch((error) => {
  console.error(`set-up failed: ${error.message}`);
  process.exitCode = 1;
});
