import Database from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';
import { must, Place } from '../testing/place';
import { takeLease } from './lease';

const place = new Place();
afterEach(() => {
  vi.restoreAllMocks();
  place.remove();
});

test('a process that got in between while a core wrote down its name does not stay as the holder', () => {
  const lease = must(takeLease(place.path, { now: 1, boot: 1 }));
  const { exec } = Database.prototype;
  let commits = 0;
  vi.spyOn(Database.prototype, 'exec').mockImplementation(function (this: Database.Database, sql: string) {
    const done = exec.call(this, sql);
    if (sql !== 'commit') return done;
    commits += 1;
    if (commits > 1) return done;
    const rival = new Database(`${place.path}.lease`);
    exec.call(
      rival,
      `insert or replace into holder (one, token, pid, host, since, boot) values (1, 'rival', 1, 'there', 2, 2)`,
    );
    rival.close();
    return done;
  });
  lease.publish(null);
  vi.restoreAllMocks();
  expect(commits).toBe(2);
  const second = takeLease(place.path, { now: 3, boot: 1 });
  expect(second.ok ? '' : second.error.message).toContain(`process ${process.pid} on `);
  lease.release('crashed');
});
