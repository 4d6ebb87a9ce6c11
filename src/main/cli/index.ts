#!/usr/bin/env node
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runCompiled } from '../startup/compiled';

/** The entry of the command line (process.ts), whose compiled code is kept in the user's folder for caches. */
function cacheFolder(): string {
  if (process.platform === 'win32') return process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  return process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
}

runCompiled(join(import.meta.dirname, 'startup', 'cli.cjs'), join(cacheFolder(), 'muster', 'compiled-code'));
