/** Which processes run which built files, and which of them a rebuild changed. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An entry contains the hashes of its chunks, so an unchanged entry means that all its code is unchanged. */
const ENTRIES = {
  app: ['main/startup/main.cjs', 'main/startup/desktop.cjs'],
  core: [
    'main/startup/core-host.cjs',
    'main/startup/core.cjs',
    'main/backup-thread.js',
    'main/git-thread.js',
    'main/mcp-bridge.js',
    'main/scripted-agent.js',
  ],
  ptyHost: ['main/pty-host.js', 'main/terminal-snapshot.js'],
  page: ['preload/index.cjs'],
};

/** Watches the built files in `folder`: each call returns the parts that changed since the previous call. */
export function changesIn(folder) {
  let known = readAll(folder);
  return () => {
    const now = readAll(folder);
    const changed = Object.keys(ENTRIES).filter((part) => now[part] !== known[part]);
    known = now;
    return changed;
  };
}

/** The restarts needed for these parts; a restarted app also restarts its processes and its page. */
export function restartsFor(parts) {
  if (parts.includes('app')) return { app: true, processes: [], page: false };
  return {
    app: false,
    processes: parts.filter((part) => part === 'core' || part === 'ptyHost'),
    page: parts.includes('page'),
  };
}

const readAll = (folder) =>
  Object.fromEntries(Object.entries(ENTRIES).map(([part, files]) => [part, hash(folder, files)]));

function hash(folder, files) {
  const sum = createHash('sha256');
  for (const file of files) sum.update(readFileSync(join(folder, file)));
  return sum.digest('hex');
}
