import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { socketEndpointFile } from '@contract/system/host';

const APP = 'Muster';

/** Where Muster stores its data. Flags and variables are the app's. */
export interface Folders {
  readonly dataDir: string;
  readonly dbPath: string;
}

/** A flag overrides its environment variable. */
export function foldersOf(given: { dataDir?: string; db?: string }, env: NodeJS.ProcessEnv): Folders {
  const chosen = given.dataDir ?? (env.MUSTER_DATA_DIR || undefined);
  const dataDir = chosen === undefined ? defaultFolder(env) : resolve(chosen);
  const db = given.db ?? (env.MUSTER_DB || undefined);
  return { dataDir, dbPath: db === undefined ? join(dataDir, 'muster.db') : resolve(db) };
}

/** Electron's folder for the app (userData), found without Electron. */
function defaultFolder(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return join(env.APPDATA || join(homedir(), 'AppData', 'Roaming'), APP);
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', APP);
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), APP);
}

export const endpointFile = (dataDir: string): string => join(dataDir, socketEndpointFile);
