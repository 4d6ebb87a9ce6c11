import { renameSync } from 'node:fs';
import { freeName, shmOf, sizeOf, stamp, walOf } from './files';

const ENDINGS = ['', '-wal', '-shm'];

/**
 * Moves a damaged database out of the way, with what SQLite keeps beside it, so that nothing of it is overwritten
 * and its -wal still belongs to it.
 */
export function setAside(path: string, at: number): string {
  const aside = freeName(`${path}.damaged-${stamp(at)}`, ENDINGS);
  for (const [from, to] of [
    [path, aside],
    [walOf(path), walOf(aside)],
    [shmOf(path), shmOf(aside)],
  ] as const) {
    if (sizeOf(from) > 0) renameSync(from, to);
  }
  return aside;
}
