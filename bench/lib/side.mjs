import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { modules } from '../../tools/lib/paths.mjs';
import { must } from '../../tools/lib/run.mjs';

/** Runs a bundled program in a new process and returns the JSON of its last line. */
export async function runSide(file, args = [], { command = process.execPath, before = [], env } = {}) {
  const output = await must(command, [...before, file, ...args.map(String)], {
    env: { ...process.env, ...env },
  });
  return JSON.parse(output.split('\n').at(-1));
}

/**
 * The milliseconds from the start of a program to its first output; then it is killed. Without a company's
 * certificates: Node reads them at its start, which takes half as long again, on both sides of a comparison.
 */
export function timeToFirstLine(command, args, env) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_EXTRA_CA_CERTS: '', ...env },
    });
    child.stdout.once('data', () => {
      const taken = performance.now() - started;
      child.on('close', () => resolve(taken));
      child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('exit', (code) => code && reject(new Error(`${args[0]} ended with ${code} and no output`)));
  });
}

/** A folder for databases, on the same disk as the project; a memory disk would have no syncs to measure. */
export async function inFolder(work) {
  const folder = mkdtempSync(join(modules('.cache'), 'bench-run-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
