import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** How to start an Electron process that hosts sandboxes. */
export interface HostProgram {
  readonly program: string;
  readonly args: readonly string[];
}

/** Makes the packaged app a sandbox host instead of opening a window (src/main/index.ts). */
const SWITCH = '--host-sandboxes';

/**
 * The packaged app itself with a switch, since it only starts its own script; else the installed Electron
 * with the host's script. Null if no Electron is installed. `processDir` is out/main, `execPath` this
 * process's executable.
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

/** On macOS the core runs from a helper's executable, which cannot show pages. */
function appOf(execPath: string): string {
  const at = execPath.indexOf('.app/Contents/Frameworks/');
  if (at < 0) return execPath;
  const app = execPath.slice(0, at);
  return join(`${app}.app`, 'Contents', 'MacOS', basename(app));
}
