import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { electronExecutable } from './paths.mjs';

/**
 * Why Chromium's sandbox cannot start here; undefined if it can. Without a sandbox Electron would exit at
 * once.
 */
export function sandboxObstacle() {
  if (process.platform !== 'linux') return undefined;
  if (process.getuid() === 0) return 'Electron runs as root';
  const helper = join(dirname(electronExecutable()), 'chrome-sandbox');
  if (isSetuidRoot(helper) || !userNamespacesRestricted()) return undefined;
  return `this system restricts user namespaces; to have it: sudo chown root ${helper} && sudo chmod 4755 ${helper}`;
}

function isSetuidRoot(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && found.uid === 0 && (found.mode & 0o4000) !== 0;
}

function userNamespacesRestricted() {
  const is = (name, value) => {
    try {
      return readFileSync(`/proc/sys/kernel/${name}`, 'utf8').trim() === value;
    } catch {
      return false;
    }
  };
  return is('apparmor_restrict_unprivileged_userns', '1') || is('unprivileged_userns_clone', '0');
}
