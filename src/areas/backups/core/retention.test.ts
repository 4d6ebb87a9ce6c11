import { expect, test } from 'vitest';
import type { BackupRow } from '../contract/procedures';
import { backupRoom, isBackupDue, outdatedBackups } from './retention';

const DAY = 24 * 3600_000;
const row = (day: number, bytes = 10, kind: BackupRow['kind'] = 'automatic'): BackupRow => ({
  path: `/b/${kind}-${day}`,
  kind,
  at: day * DAY,
  bytes,
  version: 1,
  artifacts: false,
});
const days = (...numbers: number[]) => numbers.map((day) => row(day));
const gone = (rows: BackupRow[], freeBytes: number) =>
  outdatedBackups({ rows, freeBytes }).map(({ path }) => path);

test('an automatic backup is due a day after the last one, and where the clock was set back', () => {
  expect(isBackupDue([], 5 * DAY)).toBe(true);
  expect(isBackupDue([row(4.5)], 5 * DAY)).toBe(false);
  expect(isBackupDue([row(4)], 5 * DAY)).toBe(true);
  expect(isBackupDue([row(9)], 5 * DAY)).toBe(true);
  expect(isBackupDue([row(4.9, 10, 'manual')], 5 * DAY)).toBe(true);
});

test('seven automatic backups are kept, and those made by hand always', () => {
  const rows = [...days(1, 2, 3, 4, 5, 6, 7, 8, 9), row(0, 10, 'manual'), row(0, 10, 'migration')];
  expect(gone(rows, 1e9)).toEqual(['/b/automatic-2', '/b/automatic-1']);
});

test('automatic backups take a tenth of the free disk at most, but the newest one stays', () => {
  expect(backupRoom({ rows: days(1, 2), freeBytes: 280 })).toBe(30);
  expect(gone(days(1, 2, 3, 4), 260)).toEqual(['/b/automatic-1']);
  expect(gone(days(1, 2, 3), 0)).toEqual(['/b/automatic-2', '/b/automatic-1']);
});
