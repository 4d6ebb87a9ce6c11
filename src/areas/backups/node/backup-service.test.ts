import { fail, ok, type Result } from '@contract/result';
import type { BackupOrder } from '@main/core/ports/backups';
import { beforeEach, expect, test, vi } from 'vitest';
import type { BackupRow } from '../contract/procedures';
import { BackupService } from './backup-service';

const DAY = 24 * 3600_000;
const START = 100 * DAY;

let now: number;
let due: { at: number; run: () => void } | null;
let rows: BackupRow[];
let orders: BackupOrder[];
let notices: Map<string, string>;
let idle: boolean;
let free: number;
let outcome: () => Promise<Result<BackupRow>> | null;

beforeEach(() => {
  now = START;
  due = null;
  rows = [];
  orders = [];
  notices = new Map();
  idle = true;
  free = 1e9;
  outcome = () => null;
});

function make(): BackupService {
  return new BackupService({
    clock: {
      now: () => now,
      at: (at, run) => {
        due = { at, run };
        return () => {
          due = null;
        };
      },
    },
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    artifactsRoot: '/data/artifacts',
    databaseBytes: () => 100,
    idle: () => idle,
    notice: (text, id) => notices.set(id, text),
    withdraw: (id) => notices.delete(id),
    backups: {
      folder: '/data/backups',
      list: () => rows,
      freeBytes: () => free,
      remove: (path) => {
        rows = rows.filter((row) => row.path !== path);
      },
      close: () => undefined,
      make: async (order) => {
        orders.push(order);
        const early = outcome();
        if (early !== null) return early;
        const kind = order.target.includes('/auto-') ? 'automatic' : 'manual';
        const row: BackupRow = {
          path: order.target,
          kind,
          at: now,
          bytes: 100,
          version: 1,
          artifacts: false,
        };
        rows = [row, ...rows];
        return ok(row);
      },
    },
  });
}

/** Lets the time come for which the service waits, and its work end. */
async function next(ms = 0): Promise<void> {
  const waited = due;
  if (waited === null) throw new Error('it waits for nothing');
  due = null;
  now = Math.max(waited.at, now + ms);
  waited.run();
  await vi.waitFor(() => expect(due).not.toBeNull());
}

test('one backup a day is made while nothing works, and seven are kept', async () => {
  make().start();
  for (let day = 0; day < 9; day += 1) {
    await next(DAY);
    await next();
  }
  expect(orders).toHaveLength(9);
  expect(rows).toHaveLength(7);
});

test('a backup that is due waits until nothing works', async () => {
  idle = false;
  make().start();
  await next(DAY);
  expect(orders).toEqual([]);
  idle = true;
  await next();
  expect(orders).toHaveLength(1);
});

test('a backup that could not be made is told, until one was made', async () => {
  outcome = () => Promise.resolve(fail('store.failed', 'The folder cannot be written.'));
  make().start();
  await next();
  expect(notices.get('backup')).toContain('was not made: The folder cannot be written. Back up');
  outcome = () => null;
  await next();
  expect(notices.size).toBe(0);
  rows = [];
  free = 500;
  await next();
  expect(notices.get('backup')).toContain('more than a tenth of the free disk space');
  expect(orders).toHaveLength(2);
});

test('a core that closes during a backup tells nothing and makes no other one', async () => {
  const service = make();
  let end: (result: Result<BackupRow>) => void = () => undefined;
  outcome = () => new Promise((resolve) => (end = resolve));
  service.start();
  const waited = due;
  now += DAY;
  waited?.run();
  await vi.waitFor(() => expect(orders).toHaveLength(1));
  due = null;
  const byHand = service.make({ path: null, artifacts: false });
  service.stop();
  end(fail('unavailable', 'The backup was not finished: Muster is closing.'));
  expect(await byHand).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  expect(orders).toHaveLength(1);
  expect([due, notices.size]).toEqual([null, 0]);
});

test('a backup by hand has a place of its own, with artifacts as a folder', async () => {
  const service = make();
  await service.make({ path: null, artifacts: false });
  await service.make({ path: '/else/mine', artifacts: true });
  expect(orders).toEqual([
    { target: '/data/backups/muster-19700411T000000Z.db', artifacts: null },
    { target: '/else/mine', artifacts: '/data/artifacts' },
  ]);
  expect(await service.make({ path: 'mine', artifacts: false })).toMatchObject({
    ok: false,
    error: { code: 'input.invalid' },
  });
});
