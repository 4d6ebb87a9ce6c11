import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { must } from './run.mjs';

/**
 * Gives the file with the memory of a started Python, compressed, for the Pyodide of this checkout. A REPL that begins
 * with it starts about seven times faster: Pyodide would compile the standard library from its source each time.
 */
export async function pythonSnapshot(root) {
  const writer = join(root, 'tools', 'lib', 'write-python-snapshot.mjs');
  const made = createHash('sha256');
  for (const file of [writer, join(root, 'node_modules', 'pyodide', 'package.json')])
    made.update(readFileSync(file));
  const snapshot = join(root, '.cache', 'python-snapshot', `${made.digest('hex').slice(0, 16)}.gz`);
  if (existsSync(snapshot)) return snapshot;
  mkdirSync(dirname(snapshot), { recursive: true });
  const beside = `${snapshot}.${process.pid}`;
  await must(process.execPath, [writer, beside], { cwd: root });
  // In one step, because another build may make it at the same time.
  renameSync(beside, snapshot);
  return snapshot;
}
