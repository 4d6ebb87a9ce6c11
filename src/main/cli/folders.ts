import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { socketEndpointFile } from '@contract/system/host';

const APP = 'Muster';

/** The folder that Electron gives the app (userData), found without Electron. */
export function dataFolder(given: string | undefined, env: NodeJS.ProcessEnv): string {
  const chosen = given ?? (env.MUSTER_DATA_DIR || undefined);
  return chosen === undefined ? defaultFolder(env) : resolve(chosen);
}

function defaultFolder(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return join(env.APPDATA || join(homedir(), 'AppData', 'Roaming'), APP);
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', APP);
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), APP);
}

export const databaseFile = (dataDir: string): string => join(dataDir, 'muster.db');
export const endpointFile = (dataDir: string): string => join(dataDir, socketEndpointFile);
