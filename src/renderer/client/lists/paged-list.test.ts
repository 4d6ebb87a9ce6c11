import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { describe, expect, test, vi } from 'vitest';
import { READ_TOGETHER_MS } from '../../limits';
import { type Page, PagedList } from './paged-list';

interface Row {
  readonly id: number;
  readonly status: string;
}

const rows = (...ids: number[]): Row[] => ids.map((id) => ({ id, status: 'running' }));

async function listOf(
  pages: { rows: Row[]; more: boolean }[],
  accepts: (row: Row) => boolean | null = (row) => row.status === 'running',
) {
  const list = new PagedList<Row>({
    fetch: async () => ok(pages.shift() ?? { rows: [], more: false }),
    idOf: (row) => row.id,
    accepts,
    follow: () => () => {},
  });
  await list.read();
  return { list, ids: () => list.view.get().rows.map((row) => row.id) };
}

describe('a paged list', () => {
  test('a paged list puts a new row on top and replaces one that it has', async () => {
    const { list, ids } = await listOf([{ rows: rows(9, 7, 5), more: true }]);
    list.receive([{ id: 11, status: 'running' }]);
    list.receive([{ id: 7, status: 'running' }]);
    expect(ids()).toEqual([11, 9, 7, 5]);
  });

  test('a paged list takes out a row that no longer belongs there', async () => {
    const { list, ids } = await listOf([{ rows: rows(9, 7, 5), more: false }]);
    list.receive([
      { id: 7, status: 'failed' },
      { id: 8, status: 'failed' },
    ]);
    expect(ids()).toEqual([9, 5]);
  });

  test('a paged list leaves rows beyond its last row to their page', async () => {
    const { list, ids } = await listOf([
      { rows: rows(9, 7), more: true },
      { rows: rows(5, 3), more: false },
    ]);
    list.receive(rows(5));
    expect(ids()).toEqual([9, 7]);
    await list.readMore();
    expect(ids()).toEqual([9, 7, 5, 3]);
    await list.readMore();
    expect(ids()).toEqual([9, 7, 5, 3]);
  });

  test('a paged list does not count as fresh by a push after a failed reading', async () => {
    const answers: Result<Page<Row>>[] = [
      ok({ rows: rows(7), more: false }),
      err(appError('unavailable', 'no core')),
      ok({ rows: rows(9, 8), more: false }),
    ];
    const list = new PagedList<Row>({
      fetch: async () => answers.shift() ?? err(appError('internal', 'asked too often')),
      idOf: (row) => row.id,
      accepts: () => true,
      follow: () => () => {},
    });
    await list.read();
    await list.read();
    expect(list.view.get().status).toBe('failed');
    list.receive(rows(9));
    await Promise.resolve();
    await Promise.resolve();
    expect(list.view.get()).toMatchObject({ status: 'ready', error: null, rows: rows(9, 8) });
  });

  test('a paged list keeps the rows beyond the first page of a search that is read again', async () => {
    vi.useFakeTimers();
    const { list, ids } = await listOf(
      [
        { rows: rows(9, 7), more: true },
        { rows: rows(5, 3), more: true },
        { rows: rows(11, 9), more: true },
      ],
      () => null,
    );
    await list.readMore();
    list.receive(rows(11));
    await vi.advanceTimersByTimeAsync(READ_TOGETHER_MS);
    vi.useRealTimers();
    expect(ids()).toEqual([11, 9, 7, 5, 3]);
    expect(list.view.get().more).toBe(true);
  });
});
