import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { messageOf } from '@contract/error-message';

/** How to start an Electron process that hosts sandboxes. */
export interface HostProgram {
  readonly program: string;
  readonly args: readonly string[];
}

/** An Electron that is there and cannot be used, and why. */
export interface UnusableHost {
  readonly trouble: string;
}

/** Makes the packaged app a sandbox host instead of opening a window (src/main/index.ts). */
const SWITCH = '--host-sandboxes';

/**
 * The packaged app itself with a switch, since it only starts its own script; else the installed Electron
 * with the host's script. Null if no Electron is installed. `processDir` is out/main, `execPath` this
 * process's executable.
 */
export function hostProgram(processDir: string, execPath: string): HostProgram | UnusableHost | null {
  if (processDir.includes('app.asar')) return { program: appOf(execPath), args: [SWITCH] };
  const folder = join(processDir, '..', '..', 'node_modules', 'electron');
  try {
    const program = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8').trim());
    if (!statSync(program).isFile()) return { trouble: `${program} is not a file` };
    return { program, args: [join(processDir, 'startup', 'sandbox-host.cjs')] };
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    return isMissing ? null : { trouble: messageOf(cause) };
  }
}

/** On macOS the core runs from a helper's executable, which cannot show pages. */
function appOf(execPath: string): string {
  const at = execPath.indexOf('.app/Contents/Frameworks/');
  if (at < 0) return execPath;
  const app = execPath.slice(0, at);
  return join(`${app}.app`, 'Contents', 'MacOS', basename(app));
}
