import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

export const walOf = (path: string): string => `${path}-wal`;

export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** A canonical path, so that different paths to a file use the same lease. */
export function settlePath(path: string): string {
  const wanted = resolve(path);
  if (existsSync(wanted)) return realpathSync(wanted);
  mkdirSync(dirname(wanted), { recursive: true, mode: 0o700 });
  return join(realpathSync(dirname(wanted)), basename(wanted));
}

/**
 * Creates the file, or makes it private to this user; SQLite gives -wal and -shm the same permissions. An
 * existing file is never opened here: closing any descriptor of it would release this process's locks on it.
 */
export function makePrivate(path: string): void {
  if (existsSync(path)) chmodSync(path, 0o600);
  else closeSync(openSync(path, 'wx', 0o600));
}

export const restoringOf = (path: string): string => `${path}.restoring`;

/** The unchecked copy of a restore that was killed. Only for the holder of the lease. */
export function dropRestoring(path: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(restoringOf(path) + ending, { force: true });
}

/** 20261122T010203Z: sorts by time, and is a valid file name everywhere. */
export const stamp = (at: number): string => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');

/**
 * `wanted`, or the first of `wanted-2`, `wanted-3`, ... for which no file with any of the given suffixes
 * exists.
 */
export function freeName(wanted: string, endings: readonly string[]): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    if (endings.every((ending) => !existsSync(name + ending))) return name;
  }
}
