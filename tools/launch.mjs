/**
 * Starts Electron with the options that this machine needs: `app [args]` opens the built app, `script <file>`
 * runs one of our files.
 */
import { needsVirtualDisplay } from './lib/display.mjs';
import { foreground } from './lib/foreground.mjs';
import { electronExecutable, root } from './lib/paths.mjs';
import { sandboxObstacle } from './lib/sandbox.mjs';

const [mode, ...args] = process.argv.slice(2);
const obstacle = sandboxObstacle();
if (obstacle) console.log(`start: without Chromium's sandbox, because ${obstacle}`);
if (needsVirtualDisplay()) console.log('start: no display here, so on a virtual one that no one sees (Xvfb)');

process.chdir(root);
const switches = obstacle ? ['--no-sandbox'] : [];
// A machine without a display has no session bus either, for which Chromium prints many harmless errors.
if (needsVirtualDisplay()) switches.push('--log-level=3');
await foreground(electronExecutable(), [...switches, ...(mode === 'app' ? [root] : []), ...args]);
