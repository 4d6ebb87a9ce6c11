import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { StoreHealth } from '../../core/ports/store/store';
import { connect } from './connection';
import { MIGRATIONS } from './migrations/index';
import { migrate } from './migrations/migrate';
import { createStore } from './store';
import { codeOf, must, Place } from './testing/place';
import { activation, runEnd, started, Teller, turn } from './testing/story';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

describe('where the database may not grow', () => {
  function limited() {
    const db = connect(place.path);
    migrate(db, MIGRATIONS);
    const store = createStore(db, { path: place.path, now: () => 42, notices: [], closed: () => undefined });
    const pages = Number(db.pragma('page_count', { simple: true }));
    return { db, store, limit: (more: number) => db.pragma(`max_page_count = ${pages + more}`) };
  }

  test('all appends of a commit fail on a full disk, nothing of them stays, and the next that fits goes through', async () => {
    const { store, limit } = limited();
    const seen: StoreHealth[] = [];
    store.onHealth((health) => seen.push(health));
    const projectId = store.addProject('/projects/sample', 'sample', 1).id;
    const [one, two] = [new Teller(store), new Teller(store)];
    must(await one.tell(started({ uid: 'one', projectId })));
    must(await two.tell(started({ uid: 'two', projectId })));
    limit(4);
    const before = one.next([activation(1, 'write')]);
    const results = await Promise.all([
      store.log.append(before),
      two.tell(turn({ turnId: 1, prompt: 'p'.repeat(100_000) })),
    ]);
    expect(results.map(codeOf)).toEqual(['store.disk_full', 'store.disk_full']);
    expect([one, two].map(({ runId }) => [...store.log.read(runId)].length)).toEqual([1, 1]);
    expect(store.run(one.runId)).toMatchObject({ now: null, at: 1_000 });
    expect(store.lastEventId()).toBe(2);
    expect(store.health()).toMatchObject({ state: 'failing', since: 42 });

    expect(must(await store.log.append(before)).map(({ id }) => id)).toEqual([3]);
    expect(seen.map(({ state }) => state)).toEqual(['failing', 'ok']);
    store.close();
  });

  test('a write outside the log fails on a full disk with an error that can be shown', () => {
    const { store, limit } = limited();
    limit(0);
    expect(() => store.setSetting('notes', 'n'.repeat(100_000))).toThrow('The disk is full');
    expect(store.health().state).toBe('failing');
    store.close();
  });

  test('an import leaves nothing behind on a full disk', async () => {
    const { store, limit } = limited();
    const projectId = store.addProject('/projects/sample', 'sample', 1).id;
    const teller = new Teller(store);
    const { events } = teller.next([
      started({ uid: 'big', projectId }),
      turn({ turnId: 1, prompt: 'p'.repeat(100_000) }),
    ]);
    limit(4);
    const history = events.map(({ at, event }, index) => ({
      id: index + 1,
      runId: 7,
      seq: index + 1,
      at,
      event,
    }));
    expect(codeOf(store.importRun(history, projectId))).toBe('store.disk_full');
    expect(store.runByUid('big')).toBeNull();
    store.close();
  });

  test('the store tries again by itself until the disk takes writes again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { store, limit } = limited();
      limit(0);
      expect(() => store.setSetting('notes', 'n'.repeat(100_000))).toThrow();
      limit(1000);
      vi.advanceTimersByTime(2_000);
      expect(store.health().state).toBe('ok');
      store.close();
    } finally {
      vi.useRealTimers();
    }
  });
});

/** A file system of 3 MB, if this user may mount one. */
function mountSmall(folder: string): boolean {
  if (process.platform !== 'linux') return false;
  mkdirSync(folder);
  return spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder]).status === 0;
}

test('the store recovers from a disk that is really full, and then is not', async (context) => {
  const folder = join(place.folder, 'small');
  if (!mountSmall(folder)) context.skip();
  try {
    const path = join(folder, 'muster.db');
    const filler = join(folder, 'filler');
    const store = place.open({ path });
    const projectId = store.addProject('/projects/sample', 'sample', 1).id;
    const teller = new Teller(store);
    must(await teller.tell(started({ uid: 'one', projectId })));
    const fill = (): void => {
      try {
        writeFileSync(filler, Buffer.alloc(4_000_000));
      } catch (fault) {
        expect(fault).toMatchObject({ code: 'ENOSPC' });
      }
    };
    fill();
    const append = teller.next([turn({ turnId: 1, prompt: 'p'.repeat(50_000) })]);
    expect(codeOf(await store.log.append(append))).toBe('store.disk_full');
    expect([...store.log.read(teller.runId)]).toHaveLength(1);
    rmSync(filler);
    await expect.poll(() => store.health().state).toBe('ok');
    must(await store.log.append(append));

    fill();
    store.close();
    expect(codeOf(place.tryOpen({ path: join(folder, 'other.db') }))).toBe('store.disk_full');
    rmSync(filler);
    const again = place.open({ path });
    expect(again.notices).toEqual([]);
    expect([...again.log.read(teller.runId)]).toHaveLength(2);
    const next = {
      runId: teller.runId,
      expectedSeq: 2,
      state: teller.state,
      events: [{ at: 9, event: runEnd }],
    };
    must(await again.log.append(next));
    again.close();
  } finally {
    spawnSync('/bin/umount', ['-l', folder]);
  }
});
