import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appError } from '@contract/errors';
import { Place } from '@main/adapters/sqlite/testing/place';
import { activation, started, Teller } from '@main/adapters/sqlite/testing/story';
import { MemoryTextFiles } from '@main/core/engine/testing/memory-texts';
import type { Store } from '@main/core/ports/store/store';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exportRun } from './run-archive';
import { RunImports } from './run-imports';
import { UnreadableRuns } from './unreadable-runs';

let place: Place;
let store: Store;
let runs: UnreadableRuns;
const appended: unknown[] = [];
const unknown = appError('not_found', 'there is no run 1');

/**
 * A run with two readable events, one that an earlier Muster should not have stored, and another after it.
 */
beforeEach(async () => {
  place = new Place();
  store = place.open();
  const projectId = store.addProject('/projects/sample', 'sample', 1).id;
  const teller = new Teller(store);
  const timer = { type: 'timer.set', timerId: 1, activationId: 1, dueAt: 5, purpose: 'wait' } as const;
  await teller.tell(started({ uid: '01J0000000000000000000000A', projectId }), activation(1, 'write'));
  await teller.tell(timer, { type: 'timer.fired', timerId: 1 });
  store.close();
  const db = new Database(place.path);
  db.exec('drop trigger if exists events_unchanged');
  const triggers = db.prepare(
    "select name from sqlite_schema where type = 'trigger' and tbl_name = 'events'",
  );
  for (const { name } of triggers.all() as { name: string }[]) db.exec(`drop trigger "${name}"`);
  db.exec("update events set body = json_set(body, '$.dueAt', 1.5) where seq = 3");
  db.close();
  store = place.open();
  appended.length = 0;
  runs = new UnreadableRuns({ store, now: () => 9, appended: (stored) => appended.push(stored) });
});
afterEach(() => {
  store.close();
  place.remove();
});

const row = () => {
  const found = store.run(1);
  if (found === null) throw new Error('no run');
  return runs.row(found);
};

test('a run is shown as it was before the first event that cannot be read', () => {
  const shown = runs.snapshot(1, unknown);
  expect(shown).toMatchObject({
    ok: true,
    value: {
      state: { seq: 2 },
      row: { status: 'unreadable', unreadable: { seq: 3, why: expect.stringContaining('dueAt') } },
    },
  });
});

test('a run that cannot be read is listed as such, in a later process too', () => {
  runs.note(1);
  expect(row().status).toBe('unreadable');
  runs = new UnreadableRuns({ store, now: () => 9, appended: () => undefined });
  expect(row().status).toBe('unreadable');
});

test('a run that cannot be read can be ended, and is unfinished no more', () => {
  expect(runs.end(1, unknown)).toEqual({ ok: true, value: {} });
  expect(row()).toMatchObject({ status: 'cancelled', finishedAt: 9, unreadable: { seq: 3 } });
  expect(store.log.unfinished()).toEqual([]);
  expect(appended).toHaveLength(1);
  expect(runs.end(1, unknown)).toMatchObject({ ok: false, error: { code: 'run.finished' } });
});

test('the export of an unreadable run has the readable events and then the others as they lie, and can be imported', async () => {
  const path = join(place.folder, 'run.jsonl');
  const textFiles = new MemoryTextFiles();
  const archive = { store, textFiles, now: () => 9, artifactsRoot: place.folder, worktreesDir: place.folder };
  expect(await exportRun(archive, { runId: 1, path })).toMatchObject({
    ok: true,
    value: { events: 2, raw: 2 },
  });
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ events: 2, unreadable: { seq: 3 } });
  expect(lines.slice(3)).toMatchObject([{ raw: { seq: 3, type: 'timer.set' } }, { raw: { seq: 4 } }]);
  const other = new Place();
  const into = other.open();
  expect(await new RunImports({ ...archive, store: into }).begin({ path })).toMatchObject({ ok: true });
  expect(into.run(1)).toMatchObject({ status: 'cancelled' });
  into.close();
  other.remove();
});

test('the events of all runs go on past one that cannot be read', () => {
  expect(store.events({ afterId: 0, limit: 10 }).map(({ seq }) => seq)).toEqual([1, 2, 4]);
});
