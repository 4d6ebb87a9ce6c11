import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { constants as os, setPriority } from 'node:os';
import { delimiter, join } from 'node:path';

/**
 * Runs a program to its end and returns { code, signal, output, timedOut }; never rejects. `show` passes the
 * output to the terminal instead of collecting it, `background` leaves the processors to others.
 */
export function run(command, args, { limit = 0, show = false, background = false, ...options } = {}) {
  return new Promise((resolve) => {
    let output = '';
    let timedOut = false;
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    if (background && child.pid !== undefined) lowerPriority(child.pid);
    const collect = (chunk) => {
      output += chunk;
    };
    const expire = () => {
      timedOut = true;
      child.kill('SIGKILL');
    };
    const timer = limit > 0 ? setTimeout(expire, limit) : undefined;
    child.stdout?.on('data', show ? (chunk) => process.stdout.write(chunk) : collect);
    child.stderr?.on('data', show ? (chunk) => process.stderr.write(chunk) : collect);
    const end = (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, output: output.trim(), timedOut });
    };
    child.on('error', (error) => {
      collect(error.message);
      end(-1, null);
    });
    child.on('close', end);
  });
}

function lowerPriority(pid) {
  try {
    setPriority(pid, os.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    // It has ended already.
    if (error.code !== 'ERR_SYSTEM_ERROR') throw error;
  }
}

/** Runs a program and returns its output; throws with its last lines if the program fails. */
export async function must(command, args, { tail = 25, ...options } = {}) {
  const { code, signal, output, timedOut } = await run(command, args, options);
  if (code === 0) return output;
  const reason = timedOut ? 'took too long' : `ended with ${signal ?? code}`;
  throw new Error(`${command} ${args.join(' ')} ${reason}\n${output.split('\n').slice(-tail).join('\n')}`);
}

/** The npm that runs this script, so that no other one is taken from PATH. */
export function npm(args, options) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) return must(process.execPath, [cli, ...args], options);
  return must(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
    ...options,
    shell: process.platform === 'win32',
  });
}

export function onPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
