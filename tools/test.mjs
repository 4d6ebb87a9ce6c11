/**
 * `npm test`. The checks and unit tests are followed by the end-to-end tests, which mostly wait: in parallel,
 * components of the window are tested, and the packed app is built and tested.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';

const running = new Set();
// Ctrl-C reaches the programs from the terminal itself.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
  });

/** Runs programs of this folder one after the other; returns whether all of them succeeded. */
async function inOrder(...programs) {
  for (const [file, ...args] of programs) {
    const child = spawn(process.execPath, [join(root, 'tools', file), ...args], { stdio: 'inherit' });
    running.add(child);
    const code = await new Promise((resolve) => child.once('exit', resolve));
    running.delete(child);
    if (code !== 0) return false;
  }
  return true;
}

const ends = (await inOrder(['check/index.mjs', '--all']))
  ? await Promise.all([
      inOrder(['e2e.mjs', 'app']),
      inOrder(
        ['e2e.mjs', 'components', '--workers=1'],
        ['package/index.mjs'],
        ['e2e.mjs', 'package', '--workers=1'],
      ),
    ])
  : [false];
process.exitCode = ends.every(Boolean) ? 0 : 1;
