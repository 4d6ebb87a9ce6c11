import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Electron's executable for a host process: this one, or the one that lies in the installation. Null where there is
 * none. A packed app starts no script but its own, so it has none to give.
 */
export function electronOf(processDir: string): string | null {
  if (processDir.includes('app.asar')) return null;
  const folder = join(processDir, '..', '..', 'node_modules', 'electron');
  const name = join(folder, 'path.txt');
  if (!existsSync(name)) return null;
  const executable = join(folder, 'dist', readFileSync(name, 'utf8').trim());
  return existsSync(executable) ? executable : null;
}
