import { existsSync, renameSync } from 'node:fs';
import { freeName, stamp } from './files';

const ENDINGS = ['', '-wal', '-shm'];

/**
 * Moves a damaged database out of the way, with what SQLite keeps beside it, so that nothing of it is overwritten
 * and its -wal still belongs to it.
 */
export function setAside(path: string, at: number): string {
  const aside = freeName(`${path}.damaged-${stamp(at)}`, ENDINGS);
  for (const ending of ENDINGS) {
    if (existsSync(path + ending)) renameSync(path + ending, aside + ending);
  }
  return aside;
}
