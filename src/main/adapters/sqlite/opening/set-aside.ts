import { existsSync, renameSync } from 'node:fs';
import { freeName, stamp } from './files';

const ENDINGS = ['', '-wal', '-shm'];

/**
 * Moves a damaged database away with SQLite's accompanying files, so that nothing is overwritten and its -wal
 * still matches.
 */
export function setAside(path: string, at: number): string {
  const aside = freeName(`${path}.damaged-${stamp(at)}`, ENDINGS);
  for (const ending of ENDINGS) {
    if (existsSync(path + ending)) renameSync(path + ending, aside + ending);
  }
  return aside;
}
