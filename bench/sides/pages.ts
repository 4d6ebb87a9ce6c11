/**
 * `pages.js chain|fan|items COUNT RUNS FOLDER`: what runs of no-op steps write to the write-ahead log: the frames of each table
 * and index, the transactions, the bytes of the events alone, and what the file system counts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { BenchCore } from '../kit/core';
import { say } from '../kit/say';
import { readWal } from '../kit/wal';
import { chain, fan, items } from '../kit/workflows';

const [shape, count = '', runs = '', folder = ''] = process.argv.slice(2);
const shapes: Readonly<Record<string, typeof chain>> = { chain, fan, items };
const definition = (shapes[shape ?? ''] ?? chain)(Number(count));
const path = join(folder, 'pages.db');
const wal = `${path}-wal`;

/** Bytes that this process has sent to the disk, in whole blocks of the file system; only Linux tells. */
function diskBytes(): number | null {
  try {
    return Number(/^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  } catch {
    return null;
  }
}

const core = new BenchCore(path);
// The first run makes the tables' first pages.
await core.run(definition);
const before = readWal(wal).frames.length;
const firstEvent = core.store.lastEventId();
const diskBefore = diskBytes();
for (let run = 0; run < Number(runs); run += 1) await core.run(definition);
const diskAfter = diskBytes();
const { frames: all, frameBytes } = readWal(wal);
if (all.length <= before) throw new Error('the log was restarted: fewer runs are needed');
const frames = all.slice(before);

// Opened beside the store's connection: closing the last one would empty the log.
const db = new Database(path, { readonly: true });
const pages = db.prepare<[], { name: string; page: number }>('select name, pageno as page from dbstat').all();
const owners = new Map(pages.map(({ name, page }) => [page, name]));
const events = db
  .prepare<[number], { bytes: number; count: number }>(
    'select sum(octet_length(body)) as bytes, count(*) as count from events where id > ?',
  )
  .get(firstEvent);
db.close();

const byOwner = new Map<string, number>();
for (const { page } of frames) {
  const owner = page === 1 ? '(the first page)' : (owners.get(page) ?? '(free list)');
  byOwner.set(owner, (byOwner.get(owner) ?? 0) + 1);
}
say({
  frameBytes,
  frames: Object.fromEntries([...byOwner].sort(([, one], [, other]) => other - one)),
  commits: frames.filter(({ commits }) => commits).length,
  events: events?.count ?? 0,
  eventBytes: events?.bytes ?? 0,
  diskBytes: diskBefore === null || diskAfter === null ? null : diskAfter - diskBefore,
});
core.store.close();
