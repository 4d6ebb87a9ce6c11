import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** How an Electron process that hosts sandboxes is started. */
export interface HostProgram {
  readonly program: string;
  readonly args: readonly string[];
}

/** Makes the packed app a host of sandboxes instead of a window (src/main/index.ts). */
const SWITCH = '--host-sandboxes';

/**
 * The packed app itself, with a switch, for it starts no script but its own; else the installed Electron with the host's
 * script. Null where no Electron is installed. `processDir` is out/main, `execPath` the executable of this process.
 */
export function hostProgram(processDir: string, execPath: string): HostProgram | null {
  if (processDir.includes('app.asar')) return { program: appOf(execPath), args: [SWITCH] };
  const folder = join(processDir, '..', '..', 'node_modules', 'electron');
  const name = join(folder, 'path.txt');
  if (!existsSync(name)) return null;
  const program = join(folder, 'dist', readFileSync(name, 'utf8').trim());
  const entry = join(processDir, 'startup', 'sandbox-host.cjs');
  return existsSync(program) ? { program, args: [entry] } : null;
}

/** On macOS the core's process has the executable of a helper, which shows no pages. */
function appOf(execPath: string): string {
  const at = execPath.indexOf('.app/Contents/Frameworks/');
  if (at < 0) return execPath;
  const app = execPath.slice(0, at);
  return join(`${app}.app`, 'Contents', 'MacOS', basename(app));
}
