import { expect, test } from 'vitest';
import type { Engine } from '../core/engine/engine';
import type { Store } from '../core/ports/store';
import { StatusService } from './status-service';

/** Only what is asked of them here. */
function service() {
  const store = {
    path: '/db',
    notices: [{ id: 'backup', level: 'info', text: 'A backup was taken.' }],
    health: () => ({ state: 'ok', since: 0, detail: null }),
    spendSince: () => ({ tokens: 0, costUsd: 0, untoldTurns: 0 }),
    databaseBytes: () => 0,
  } as unknown as Store;
  const engine = { all: () => [] } as unknown as Engine;
  const clock = { now: () => 0, at: () => () => undefined };
  const status = new StatusService({ engine, store, clock, pid: 1 });
  const said = (): string[] => status.status().notices.map(({ text }) => text);
  return { status, said };
}

test('what is told again under its id takes the place of what was told, and does not pile up', () => {
  const { status, said } = service();
  for (const text of ['first', 'second', 'third']) status.notice({ id: 'target', level: 'warning', text });
  expect(said()).toEqual(['A backup was taken.', 'third']);
});

test('what was put away stays away until it says something else, and what holds no longer goes', () => {
  const { status, said } = service();
  status.notice({ id: 'target', level: 'warning', text: 'first' });
  status.dismiss('target');
  status.dismiss('backup');
  status.notice({ id: 'target', level: 'warning', text: 'first' });
  expect(said()).toEqual([]);
  status.notice({ id: 'target', level: 'warning', text: 'second' });
  expect(said()).toEqual(['second']);
  status.withdraw('target');
  expect(said()).toEqual([]);
});
