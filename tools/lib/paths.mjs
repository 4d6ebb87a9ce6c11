import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Outside node_modules, so that neither `npm install` nor a second clone has to download or compile again.
 */
export const cacheFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'muster');

export const modules = (...parts) => join(root, 'node_modules', ...parts);

export function packageVersion(name) {
  const file = modules(name, 'package.json');
  if (!existsSync(file)) throw new Error(`${name} is not installed: run npm install first`);
  return JSON.parse(readFileSync(file, 'utf8')).version;
}

/** The Electron executable that require('electron') would return, or undefined before the set-up. */
export function electronExecutable() {
  const pathFile = modules('electron', 'path.txt');
  if (!existsSync(pathFile)) return undefined;
  const executable = modules('electron', 'dist', readFileSync(pathFile, 'utf8'));
  return existsSync(executable) ? executable : undefined;
}
