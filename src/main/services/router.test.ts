import { appError } from '@contract/errors';
import { ok } from '@contract/result';
import { expect, test } from 'vitest';
import { Place } from '../adapters/sqlite/testing/place';
import { started, Teller } from '../adapters/sqlite/testing/story';
import { createRouter, type Handlers } from './router';

const logged: string[] = [];
const logger = {
  info: () => undefined,
  warn: () => undefined,
  error: (message: string) => void logged.push(message),
};

/** Only the handlers used by the test. */
const router = (handlers: Partial<Handlers>, commit = () => {}) =>
  createRouter(handlers as Handlers, logger, commit);

test('gives handlers parsed input with its defaults', async () => {
  const seen: unknown[] = [];
  const route = router({
    'run.list': (input) => {
      seen.push(input);
      return ok({ rows: [], more: false });
    },
  });
  expect(await route('run.list', {})).toEqual({ ok: true, value: { rows: [], more: false } });
  expect(seen).toEqual([{ limit: 100, binned: false }]);
});

test('refuses what is not in the contract, and names the field that does not fit', async () => {
  const route = router({});
  expect(await route('toString', {})).toMatchObject({ ok: false, error: { code: 'input.invalid' } });
  expect(await route('gate.resolve', { runId: 1, gateId: 1, answer: {} })).toMatchObject({
    ok: false,
    error: { code: 'input.invalid', where: { path: 'answer.option' } },
  });
});

test('tells a foreseen fault as it is, and of an unforeseen one only its number', async () => {
  const full = Object.assign(new Error('full'), {
    appError: appError('store.disk_full', 'The disk is full.'),
  });
  const route = router({
    'project.remove': () => {
      throw full;
    },
    'settings.get': () => {
      throw new Error('secret detail');
    },
  });
  expect(await route('project.remove', { projectId: 1 })).toMatchObject({
    error: { code: 'store.disk_full' },
  });
  const reply = await route('settings.get', {});
  expect(reply).toMatchObject({ ok: false, error: { code: 'internal' } });
  expect(JSON.stringify(reply)).not.toContain('secret detail');
  expect(logged).toEqual(['a procedure threw']);
});

test('commits what was folded before it answers, and answers a read at once', async () => {
  const place = new Place();
  try {
    const store = place.open();
    const projectId = store.addProject('/projects/sample', 'sample', 1).id;
    const teller = new Teller(store);
    const told: Promise<unknown>[] = [];
    const live = () => {
      told.push(teller.tell(started({ uid: 'run', projectId })));
      return ok([1]);
    };
    const route = router({ 'run.live': live }, () => store.log.flush());
    expect(route('run.live', {})).toEqual({ ok: true, value: [1] });
    expect([...store.log.read(1)].map(({ event }) => event.type)).toEqual(['run.started']);
    await Promise.all(told);
  } finally {
    place.remove();
  }
});
