import { rmSync, statfsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { messageOf } from '@contract/error-message';
import { type AppError, appError, appErrorSchema } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { z } from 'zod';
import type { BackupOrder, Backups } from '../../../core/ports/backups';
import { isCorruption, isSqliteError } from '../faults';
import { backupRow, backupsFolder, dropUnfinished, kindOf, listBackups } from '../opening/backup-files';
import { backUpOnline, DamagedCopy } from './online-backup';

/** The thread's only message. */
const outcomeSchema = z.union([z.object({ done: z.literal(true) }), z.object({ failed: appErrorSchema })]);
type Outcome = z.infer<typeof outcomeSchema>;

export type ThreadOrder = BackupOrder & { readonly path: string };

/** What the thread does. */
export async function backUpInThread(order: ThreadOrder): Promise<Outcome> {
  try {
    await backUpOnline(order);
    return { done: true };
  } catch (fault) {
    return { failed: backupError(fault, order.target) };
  }
}

function backupError(fault: unknown, target: string): AppError {
  const where = { file: target };
  const code = fault instanceof Error && 'code' in fault ? String(fault.code) : '';
  if (code === 'EEXIST')
    return appError('conflict', `${target} already exists.`, { where, mend: 'Choose another name.' });
  if (code === 'ENOSPC' || code.startsWith('SQLITE_FULL'))
    return appError('store.disk_full', 'The disk is too full for a backup.', {
      where,
      mend: 'Free some space on it, or back up to another disk.',
    });
  if (fault instanceof DamagedCopy || isCorruption(fault))
    return appError('store.damaged', `The database is damaged: ${messageOf(fault)}.`, {
      where,
      mend: 'Start Muster again: it checks the file and sets it aside if it cannot be used.',
    });
  if (isSqliteError(fault) || (fault instanceof Error && 'syscall' in fault))
    return appError('store.failed', `The backup could not be written: ${messageOf(fault)}.`, { where });
  return appError('internal', `The backup failed: ${messageOf(fault)}`, { where });
}

/** Backups of the database at `path`; `entry` is the thread's bundle. */
export class ThreadBackups implements Backups {
  readonly folder: string;
  readonly #workers = new Set<Worker>();

  constructor(
    private readonly path: string,
    private readonly entry: URL,
  ) {
    this.folder = backupsFolder(path);
  }

  list() {
    return listBackups(this.path);
  }

  async make(order: BackupOrder) {
    // One at a time: what is unfinished now was left by a core that was killed.
    if (this.#workers.size === 0) dropUnfinished(this.path);
    const outcome = await this.#run({ ...order, path: this.path });
    if ('failed' in outcome) return err(outcome.failed);
    const row = backupRow(order.target, kindOf(basename(order.target)));
    const gone = `${order.target} was removed before it could be used.`;
    return row === null ? err(appError('store.failed', gone)) : (ok(row) as Result<typeof row>);
  }

  remove(path: string): void {
    rmSync(path, { recursive: true, force: true });
  }

  freeBytes(): number {
    const { bavail, bsize } = statfsSync(dirname(this.path));
    return bavail * bsize;
  }

  close(): void {
    for (const worker of this.#workers) void worker.terminate();
  }

  #run(order: ThreadOrder): Promise<Outcome> {
    const worker = new Worker(this.entry, { workerData: order });
    this.#workers.add(worker);
    const failed = (why: string): Outcome => ({
      failed: appError('unavailable', `The backup was not finished: ${why}.`),
    });
    return new Promise<Outcome>((resolve) => {
      worker.once('message', (raw: unknown) => {
        const outcome = outcomeSchema.safeParse(raw);
        resolve(outcome.success ? outcome.data : failed('its result cannot be read'));
      });
      worker.once('error', (cause) => resolve(failed(messageOf(cause))));
      worker.once('exit', () => resolve(failed('Muster is closing')));
    }).finally(() => this.#workers.delete(worker));
  }
}
