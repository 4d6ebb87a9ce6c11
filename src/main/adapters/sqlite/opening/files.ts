import { chmodSync, closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

export const walOf = (path: string): string => `${path}-wal`;

export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** One spelling for one file, so that two ways to it meet at the same lease. */
export function settlePath(path: string): string {
  const wanted = resolve(path);
  if (existsSync(wanted)) return realpathSync(wanted);
  mkdirSync(dirname(wanted), { recursive: true, mode: 0o700 });
  return join(realpathSync(dirname(wanted)), basename(wanted));
}

/**
 * Makes the file, or shuts the other users of this machine out of it; SQLite gives -wal and -shm the same rights.
 * A file that exists is never opened here: closing any descriptor of it would drop this process's locks on it.
 */
export function makePrivate(path: string): void {
  if (existsSync(path)) chmodSync(path, 0o600);
  else closeSync(openSync(path, 'wx', 0o600));
}

/** 20261122T010203Z: sorts by time and is a legal file name everywhere. */
export const stamp = (at: number): string => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');

/** `wanted`, or the first of `wanted-2`, `wanted-3`, ... of which no file exists, with none of the given endings. */
export function freeName(wanted: string, endings: readonly string[]): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    if (endings.every((ending) => !existsSync(name + ending))) return name;
  }
}
