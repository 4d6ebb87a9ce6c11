import { DAY_MS } from '@contract/time-units';
import type { BackupRow } from '../contract/procedures';

/** How many automatic backups are kept. */
const KEPT = 7;
/** Automatic backups take at most this part of the free disk, their own bytes counted as free. */
const SHARE = 0.1;

interface Room {
  readonly rows: readonly BackupRow[];
  readonly freeBytes: number;
}

const automatic = ({ rows }: Room): BackupRow[] =>
  rows.filter(({ kind }) => kind === 'automatic').sort((one, other) => other.at - one.at);

const sum = (rows: readonly BackupRow[]): number => rows.reduce((bytes, row) => bytes + row.bytes, 0);

/** The bytes that all automatic backups may take together. */
export const backupRoom = (room: Room): number => Math.floor((room.freeBytes + sum(automatic(room))) * SHARE);

export function isBackupDue(rows: readonly BackupRow[], now: number): boolean {
  const last = automatic({ rows, freeBytes: 0 })[0]?.at;
  // A clock that was set back must not prevent backups for years.
  return last === undefined || now - last >= DAY_MS || last > now;
}

/** The automatic backups to delete: the newest ones that fit are kept, but always the newest. */
export function outdatedBackups(room: Room): BackupRow[] {
  const most = backupRoom(room);
  let bytes = 0;
  return automatic(room).filter((row, index) => {
    bytes += row.bytes;
    return index > 0 && (index >= KEPT || bytes > most);
  });
}
