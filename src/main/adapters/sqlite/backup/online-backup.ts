import { closeSync, cpSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { BACKUP_STEP_MS } from '../../../limits/core';
import { connectReadOnly } from '../connection';
import { ARTIFACTS, databaseOf } from '../opening/backup-files';
import { makePrivate } from '../opening/files';

const checkSchema = z.array(z.object({ quick_check: z.string() }));
const FIRST_PAGES = 100;

/** Why a copy of the database is not used. */
export class DamagedCopy extends Error {
  override readonly name = 'DamagedCopy';
}

interface OnlineBackup {
  readonly path: string;
  readonly target: string;
  readonly artifacts: string | null;
  /** For tests: how long each step took. */
  readonly stepped?: (ms: number) => void;
}

/**
 * Copies a database that is in use. The connection reads one snapshot, so commits meanwhile neither wait nor
 * make the copy start again. It gets its name only once every page was checked and is on the disk.
 */
export async function backUpOnline({ path, target, artifacts, stepped }: OnlineBackup): Promise<void> {
  const unfinished = `${target}.part`;
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  if (existsSync(target)) throw Object.assign(new Error(`${target} already exists`), { code: 'EEXIST' });
  rmSync(unfinished, { recursive: true, force: true });
  try {
    if (artifacts !== null) mkdirSync(unfinished, { mode: 0o700 });
    const copy = artifacts === null ? unfinished : databaseOf(unfinished);
    makePrivate(copy);
    await copyPages(path, copy, stepped);
    makeSingleFile(copy);
    synced(copy);
    if (artifacts !== null) copyArtifacts(artifacts, join(unfinished, ARTIFACTS));
    renameSync(unfinished, target);
    syncFolder(dirname(target));
  } catch (fault) {
    rmSync(unfinished, { recursive: true, force: true });
    throw fault;
  }
}

async function copyPages(path: string, copy: string, stepped?: (ms: number) => void): Promise<void> {
  const db = connectReadOnly(path);
  try {
    db.exec('begin');
    db.prepare('select count(*) from sqlite_schema').get();
    let pages = FIRST_PAGES;
    let since = performance.now();
    await db.backup(copy, {
      progress: () => {
        const ms = performance.now() - since;
        stepped?.(ms);
        pages = Math.max(1, Math.min(pages * 2, Math.floor((pages * BACKUP_STEP_MS) / Math.max(ms, 0.1))));
        since = performance.now();
        return pages;
      },
    });
  } finally {
    db.close();
  }
}

/** Checks every page, and makes the copy readable without -wal and -shm. */
export function makeSingleFile(copy: string): void {
  const db = new Database(copy);
  try {
    db.pragma('trusted_schema = OFF');
    const [first] = checkSchema.parse(db.pragma('quick_check(1)'));
    if (first?.quick_check !== 'ok') throw new DamagedCopy(first?.quick_check ?? 'it could not be checked');
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}

/** Links are not followed, and stay as they are. */
function copyArtifacts(from: string, to: string): void {
  if (existsSync(from)) cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  else mkdirSync(to);
}

export function synced(file: string): void {
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** A rename is on the disk once its folder is. Windows has no such call. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
