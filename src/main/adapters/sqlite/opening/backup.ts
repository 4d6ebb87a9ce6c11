import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { connectReadOnly } from '../connection';
import { freeName, makePrivate, stamp } from './files';

interface BackupOptions {
  readonly version: number;
  readonly at: number;
  readonly busyTimeoutMs: number;
}

/** A complete copy beside the file, from before a migration. It gets its name only once complete. */
export function backUp(path: string, { version, at, busyTimeoutMs }: BackupOptions): string {
  const copy = freeName(`${path}.v${version}-${stamp(at)}.bak`, ['']);
  const unfinished = `${copy}.part`;
  rmSync(unfinished, { force: true });
  makePrivate(unfinished);
  const db = connectReadOnly(path, { busyTimeoutMs });
  try {
    db.prepare('vacuum into ?').run(unfinished);
  } catch (fault) {
    rmSync(unfinished, { force: true });
    throw fault;
  } finally {
    db.close();
  }
  const descriptor = openSync(unfinished, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(unfinished, copy);
  return copy;
}
