import { appError } from '@contract/errors';
import { err, ok } from '@contract/result';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FeedWindow } from './feed-window';

interface Row {
  readonly id: number;
}
const PAGE = 100;

/**
 * A list of `count` rows with a core that answers at once, and the position of each row in the whole list.
 */
function listOf(count: number, from?: number) {
  let ids = Array.from({ length: count }, (_, index) => (index + 1) * 3);
  let hear: (rows: readonly Row[]) => void = () => undefined;
  let lose: () => void = () => undefined;
  /** Delays answers, and says whether they fail. */
  const core: { answers: Promise<void>; down: boolean } = { answers: Promise.resolve(), down: false };
  const window = new FeedWindow<Row>({
    fetch: async (at) => {
      await core.answers;
      if (core.down) return err(appError('unavailable', 'the core is away'));
      const after = 'after' in at ? at.after : null;
      const before = 'after' in at ? Number.POSITIVE_INFINITY : (at.before ?? Number.POSITIVE_INFINITY);
      const fit = ids.filter((id) => (after === null ? id < before : id > after));
      const part = after === null ? fit.slice(-PAGE) : fit.slice(0, PAGE);
      return ok({ rows: part.reverse().map((id) => ({ id })), more: fit.length > PAGE });
    },
    idOf: (row) => row.id,
    accepts: () => true,
    follow: (heard, lost) => {
      hear = heard;
      lose = lost;
      return () => undefined;
    },
    from,
  });
  const stop = window.view.subscribe(() => undefined);
  return {
    window,
    stop,
    all: () => ids,
    core,
    lose: () => lose(),
    push(heard = true) {
      const id = (ids.at(-1) ?? 0) + 3;
      ids = [...ids, id];
      if (heard) hear([{ id }]);
    },
    /** Where each row is drawn, after subtracting `moved`. */
    places: () => {
      const { rows, base, moved } = window.view.get();
      return new Map(rows.map(({ id }, index) => [id, base + index - moved]));
    },
  };
}

const opened = () => new Promise((resolve) => setImmediate(resolve));

test('updates that arrive after a failed opening are not taken for all there is', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const list = listOf(5);
  list.core.down = true;
  await vi.advanceTimersByTimeAsync(0);
  expect(list.window.view.get().status).toBe('failed');
  list.core.down = false;
  list.push();
  expect(list.window.view.get().rows).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(list.window.view.get()).toMatchObject({ status: 'ready', error: null });
  expect(list.window.view.get().rows.map(({ id }) => id)).toEqual([...list.all()].reverse());
});

test('rows stay in order without a gap, and no kept row moves, whatever the order of reading', async () => {
  const steps = fc.array(fc.constantFrom('older', 'older', 'newer', 'push', 'catchUp'), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(fc.nat(4000), fc.option(fc.nat(4000)), steps, async (count, from, walk) => {
      const list = listOf(count, from === null ? undefined : from * 3);
      await opened();
      for (const step of walk) {
        const before = list.places();
        if (step === 'older') await list.window.readOlder();
        else if (step === 'newer') await list.window.readNewer();
        else if (step === 'push') list.push();
        else if (list.window.view.get().rows.length > 0) await list.window.catchUp();
        const after = list.places();
        for (const [id, place] of before) if (after.has(id)) expect(after.get(id)).toBe(place);
        const { rows, base, newer, older } = list.window.view.get();
        const ids = rows.map(({ id }) => id);
        const all = list.all();
        const first = all.indexOf(ids.at(-1) ?? -1);
        if (ids.length > 0) expect([...ids].reverse()).toEqual(all.slice(first, first + ids.length));
        if (ids.length > 0 && !newer) expect(ids[0]).toBe(all.at(-1));
        if (ids.length > 0 && !older) expect(ids.at(-1)).toBe(all[0]);
        expect(rows.length).toBeLessThanOrEqual(1_200);
        expect(base).toBeGreaterThanOrEqual(0);
      }
      list.stop();
    }),
    { numRuns: 60 },
  );
});

test('the window goes to both ends, and back to the newest without room for missing rows', async () => {
  const list = listOf(5_000);
  await opened();
  await list.window.toOldest();
  expect(list.window.view.get()).toMatchObject({ older: false, newer: true, place: { at: 'last' } });
  expect(list.window.view.get().rows.at(-1)).toEqual({ id: 3 });
  await list.window.open();
  expect(list.window.view.get()).toMatchObject({ base: 0, newer: false, older: true });
  expect(list.window.view.get().rows[0]).toEqual({ id: 15_000 });
  list.stop();
});

test('rows that were missed while another page was read are read after it', async () => {
  const list = listOf(500);
  await opened();
  let answer = (): void => undefined;
  list.core.answers = new Promise((resolve) => {
    answer = resolve;
  });
  const older = list.window.readOlder();
  list.push(false);
  list.push(false);
  list.lose();
  list.push();
  answer();
  await older;
  const ids = list.window.view.get().rows.map(({ id }) => id);
  expect([...ids].reverse()).toEqual(list.all().slice(-ids.length));
  expect(ids).toHaveLength(203);
  list.push();
  expect(list.window.view.get().rows[0]?.id).toBe(list.all().at(-1));
  list.stop();
});

test('missed rows that could not be read are read again, and updates meanwhile leave no gap', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const list = listOf(50);
  await opened();
  list.core.down = true;
  list.push(false);
  list.lose();
  await opened();
  list.push();
  expect(list.window.view.get().rows).toHaveLength(50);
  list.core.down = false;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(
    list.window.view
      .get()
      .rows.map(({ id }) => id)
      .reverse(),
  ).toEqual(list.all());
  expect(list.window.view.get().error).toBeNull();
  list.stop();
});
