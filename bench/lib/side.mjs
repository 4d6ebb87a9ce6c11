import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { modules } from '../../tools/lib/paths.mjs';
import { must } from '../../tools/lib/run.mjs';

/** Runs a bundled program in a fresh process and gives what it said: the JSON of its last line. */
export async function runSide(file, args = [], { command = process.execPath, before = [], env } = {}) {
  const output = await must(command, [...before, file, ...args.map(String)], {
    env: { ...process.env, ...env },
  });
  return JSON.parse(output.split('\n').at(-1));
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
