import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../adapters/sqlite/open';
import type { Store } from '../core/ports/store/store';
import { answerFirst, isFirst } from './startup-queries';

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'first-'));
  const opened = openStore({ path: join(folder, 'muster.db') });
  if (!opened.ok) throw new Error(opened.error.message);
  store = opened.value;
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the first queries of a window are answered from the store', async () => {
  store.addProject(folder, 'here', 1);
  store.addProject(join(folder, 'gone'), 'gone', 2);
  store.setSetting('settings', { theme: 'dark' });
  expect(await answerFirst(store, { name: 'project.list' })).toMatchObject({
    ok: true,
    value: [
      { name: 'gone', trouble: 'The folder is not there.' },
      { name: 'here', trouble: null },
    ],
  });
  expect(await answerFirst(store, { name: 'settings.get' })).toMatchObject({
    ok: true,
    value: { theme: 'dark' },
  });
  expect(await answerFirst(store, { name: 'feed.list', input: { limit: 10 } })).toEqual({
    ok: true,
    value: store.feed({ limit: 10 }),
  });
  expect(await answerFirst(store, { name: 'gate.list', input: { status: 'open' } })).toEqual({
    ok: true,
    value: [],
  });
});

test('all other queries are left to the whole core, also faulty calls and failures', async () => {
  expect(isFirst('run.list')).toBe(false);
  expect(await answerFirst(store, { name: 'run.list', input: {} })).toBeNull();
  expect(await answerFirst(store, { name: 'feed.list', input: { limit: 'all' } })).toBeNull();
  const broken = {
    ...store,
    projects: () => {
      throw new Error('a bug');
    },
  };
  expect(await answerFirst(broken, { name: 'project.list' })).toBeNull();
});
