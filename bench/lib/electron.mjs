import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { needsVirtualDisplay, virtualDisplay } from '../../tools/lib/display.mjs';
import { electronExecutable, root } from '../../tools/lib/paths.mjs';
import { sandboxObstacle } from '../../tools/lib/sandbox.mjs';

const hook = join(root, 'bench', 'electron', 'hook.cjs');
const END_MS = 60_000;

let display;

/** The environment of the display for windows: one for all benches. */
async function displayEnv() {
  if (!needsVirtualDisplay()) return {};
  display ??= virtualDisplay();
  return (await display).env;
}

export async function closeDisplay() {
  (await display)?.close();
}

/**
 * Starts an Electron with the hook in its main process. `painted` resolves with the milliseconds from the
 * start until the page had painted the element; `ask` requests a measurement from the hook.
 */
export async function startElectron(args, { selector, env = {} }) {
  const switches = ['-r', hook, ...(sandboxObstacle() ? ['--no-sandbox'] : []), '--log-level=3'];
  const started = Date.now();
  const child = spawn(electronExecutable(), [...switches, ...args], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...(await displayEnv()), ...env, BENCH_PAINTED: selector },
  });
  const waiting = new Map();
  const gone = new Promise((resolve) => child.once('exit', resolve));
  let calls = 0;
  const answer = (id) =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`Electron did not answer: ${id}`)), END_MS);
      waiting.set(id, { resolve, reject, late });
    });
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith('bench ')) return;
    const { id = 'painted', error, value, painted } = JSON.parse(line.slice('bench '.length));
    const { resolve, reject, late } = waiting.get(id);
    clearTimeout(late);
    if (error === undefined) resolve(painted === undefined ? value : painted - started);
    else reject(new Error(error));
  });
  return {
    pid: child.pid,
    painted: answer('painted'),
    ask(task, input = {}) {
      calls += 1;
      const answered = answer(calls);
      child.stdin.write(`${JSON.stringify({ id: calls, task, ...input })}\n`);
      return answered;
    },
    async end() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await gone;
      clearTimeout(late);
    },
  };
}
