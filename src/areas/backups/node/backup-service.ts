import { isAbsolute, join } from 'node:path';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { fail, ok, type Result } from '@contract/result';
import type { Backups } from '@main/core/ports/backups';
import type { Clock, Logger } from '@main/core/ports/ports';
import { BACKUP_CHECK_MS } from '@main/limits/core';
import type { BackupRow } from '../contract/procedures';
import { backupRoom, isBackupDue, outdatedBackups } from '../core/retention';

const NOTICE = 'backup';

interface BackupParts {
  readonly backups: Backups;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly artifactsRoot: string;
  readonly databaseBytes: () => number;
  /** No turn or command is at work. */
  readonly idle: () => boolean;
  readonly notice: (text: string, id: string) => void;
  readonly withdraw: (id: string) => void;
}

/** 20261122T010203Z: sorts by time, and is a valid file name everywhere. */
const stamp = (at: number): string => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');

/** Backups on request, and one a day while nothing works. */
export class BackupService {
  #cancel: (() => void) | null = null;
  #stopped = false;
  #making: Promise<unknown> | null = null;

  constructor(private readonly parts: BackupParts) {}

  list(): ProcedureOutput<'backup.list'> {
    const { backups } = this.parts;
    return { folder: backups.folder, rows: [...backups.list()] };
  }

  make({ path, artifacts }: ParsedInput<'backup.make'>): Promise<Result<BackupRow>> {
    const { backups, clock, artifactsRoot } = this.parts;
    if (path !== null && !isAbsolute(path))
      return Promise.resolve(fail('input.invalid', `${path} is not a whole path.`));
    const name = `muster-${stamp(clock.now())}${artifacts ? '.backup' : '.db'}`;
    const target = path ?? join(backups.folder, name);
    return this.#make(() => backups.make({ target, artifacts: artifacts ? artifactsRoot : null }));
  }

  /** From now on a backup is made once a day. */
  start(): void {
    if (this.#cancel !== null || this.#stopped) return;
    this.#next();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    this.parts.backups.close();
  }

  #next(): void {
    const { clock } = this.parts;
    this.#cancel = clock.at(clock.now() + BACKUP_CHECK_MS, () => void this.#look());
  }

  async #look(): Promise<void> {
    try {
      await this.#automatic();
    } catch (cause) {
      this.#failed(String(cause));
    }
    if (!this.#stopped) this.#next();
  }

  async #automatic(): Promise<void> {
    const { backups, clock, idle, databaseBytes, withdraw } = this.parts;
    if (!idle() || this.#making !== null || !isBackupDue(backups.list(), clock.now())) return;
    const room = backupRoom({ rows: backups.list(), freeBytes: backups.freeBytes() });
    if (databaseBytes() > room) return this.#failed('it would take more than a tenth of the free disk space');
    const target = join(backups.folder, `auto-${stamp(clock.now())}.db`);
    const made = await this.#make(() => backups.make({ target, artifacts: null }));
    if (this.#stopped) return;
    if (!made.ok) return this.#failed(made.error.message);
    withdraw(NOTICE);
    const rows = backups.list();
    for (const row of outdatedBackups({ rows, freeBytes: backups.freeBytes() })) backups.remove(row.path);
  }

  /** One at a time: two would only take longer. */
  async #make(start: () => Promise<Result<BackupRow>>): Promise<Result<BackupRow>> {
    while (this.#making !== null) await this.#making;
    if (this.#stopped) return fail('unavailable', 'Muster is closing.');
    const making = start();
    this.#making = making.catch(() => undefined);
    try {
      return await making;
    } finally {
      this.#making = null;
    }
  }

  #failed(why: string): void {
    const { logger, notice } = this.parts;
    logger.warn('no automatic backup was made', { why });
    const text = `Today’s automatic backup was not made: ${why.replace(/\.$/, '')}. Back up to another disk with: muster backup FILE`;
    notice(text, NOTICE);
  }

  /** The rows as handlers give them. */
  handlers() {
    return {
      'backup.list': () => ok(this.list()),
      'backup.make': (input: ParsedInput<'backup.make'>) => this.make(input),
    };
  }
}
