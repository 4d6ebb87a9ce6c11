/**
 * `npm test`. After the build everything runs side by side, so that no processor waits: the tests of the app, which
 * mostly wait and go first; the checks and unit tests; and the components of the window, then the packed app.
 */
import { spawn } from 'node:child_process';
import { constants, getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';

/** Of what runs beside the tests of the app: these take longest, so it gets what they leave of the processors. */
const BESIDE = Math.min(getPriority() + 10, constants.priority.PRIORITY_LOW);

const running = new Set();
// Ctrl-C reaches the programs from the terminal itself.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
  });

const failed = [];

/** Runs programs one after the other, until one fails. */
async function inOrder(priority, ...programs) {
  for (const [file, ...args] of programs) {
    const child = spawn(process.execPath, [join(root, file), ...args], { cwd: root, stdio: 'inherit' });
    running.add(child);
    if (child.pid !== undefined && priority !== getPriority()) setPriority(child.pid, priority);
    const code = await new Promise((resolve) => child.once('exit', resolve));
    running.delete(child);
    if (code === 0) continue;
    failed.push([file, ...args].join(' '));
    return;
  }
}

await inOrder(getPriority(), ['node_modules/electron-vite/bin/electron-vite.js', 'build', '--logLevel=warn']);
if (failed.length === 0)
  await Promise.all([
    inOrder(getPriority(), ['tools/e2e.mjs', 'app']),
    inOrder(BESIDE, ['tools/check/index.mjs', '--tests']),
    inOrder(
      BESIDE,
      ['tools/e2e.mjs', 'components', '--workers=1'],
      ['tools/package/index.mjs'],
      ['tools/e2e.mjs', 'package', '--workers=1'],
    ),
  ]);
if (failed.length > 0) console.error(`npm test failed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
