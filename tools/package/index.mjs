/** Packs the built app for this platform into dist/. Without arguments only as a folder, as tests need it. */
import { readFileSync, realpathSync } from 'node:fs';
import { foreground } from '../lib/foreground.mjs';
import { modules, root } from '../lib/paths.mjs';
import { writeNotices } from './notices.mjs';

const { electron } = JSON.parse(readFileSync(modules('.cache', 'muster', 'setup.json'), 'utf8'));
if (electron.kind === 'stand-in') {
  console.log(
    `package: with the STAND-IN Electron ${electron.version}. Good to test the packing, not to be shipped.`,
  );
}

process.chdir(root);
writeNotices();
const wanted = process.argv.slice(2);
await foreground(process.execPath, [
  modules('electron-builder', 'cli.js'),
  ...(wanted.length > 0 ? wanted : ['--dir']),
  '--publish=never',
  '--config=tools/package/builder.mjs',
  `-c.electronDist=${realpathSync(modules('electron', 'dist'))}`,
  `-c.electronVersion=${electron.version}`,
]);
