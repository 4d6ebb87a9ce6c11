import type { RoutedPush } from '@contract/ipc';
import type { CoreInit } from '@contract/system/host';
import { beforeEach, describe, expect, test } from 'vitest';
import { CoreLink } from './core-link';
import { FakeClock, FakeTransport } from './testing/fakes';

const init: CoreInit = {
  kind: 'init',
  version: '0',
  dataDir: '/data',
  dbPath: '/data/muster.db',
  instanceId: 'i',
  resourcesDir: '/res',
  processDir: '/out',
  nodeRuntime: { execPath: '/node', env: {} },
  secrets: {},
  socket: { endpointFile: '/data/core-endpoint.json' },
};
const ready = (pid: number) => ({ kind: 'ready', pid, version: '0', apiAddress: null });
const locked = { kind: 'fatal', error: { code: 'store.locked', message: 'locked' } };

let clock: FakeClock;
let started: { how: 'own' | 'attached'; transport: FakeTransport }[];
let pushes: RoutedPush[];
let ups: boolean[];
let lines: number;
let keysWanted: number;
let link: CoreLink;

const last = () => started.at(-1)?.transport ?? new FakeTransport(0);
const states = () => link.observed().state;
const untilStarted = (): void => {
  for (const before = started.length; started.length === before; ) clock.pass(250);
};

beforeEach(() => {
  clock = new FakeClock();
  started = [];
  pushes = [];
  ups = [];
  lines = 0;
  keysWanted = 0;
  const add = (how: 'own' | 'attached') => () => {
    const transport = new FakeTransport(started.length + 100);
    started.push({ how, transport });
    return transport;
  };
  link = new CoreLink({
    clock,
    log: () => undefined,
    spawn: add('own'),
    attach: add('attached'),
    init: () => init,
    line: () => {
      lines += 1;
      return {};
    },
    up: (own) => void ups.push(own),
    wantsAnswerKey: () => {
      keysWanted += 1;
    },
    changed: () => undefined,
    crashed: () => undefined,
    pushed: (more) => void pushes.push(...more),
  });
  link.start();
});

describe('a core of our own', () => {
  test('a core of our own gets its start settings, and counts as running when it says so', () => {
    expect(last().told).toEqual([init]);
    expect(states()).toBe('starting');
    last().say(ready(41));
    last().say({ kind: 'answer-key' });
    expect(keysWanted).toBe(1);
    expect(link.observed()).toEqual({
      state: 'running',
      since: clock.now(),
      detail: null,
      pid: 41,
      restarts: 0,
      unsteady: null,
    });
    expect(ups).toEqual([true]);
    expect(link.own).toBe(true);
  });

  test('a core gets the calls that came before it was ready, and its answers go to their callers', async () => {
    const one = link.call('run.list', { limit: 1 });
    const two = link.call('run.get', { runId: 7 });
    last().say(ready(41));
    expect(last().told.slice(2)).toEqual([
      { kind: 'rpc', id: 1, name: 'run.list', input: { limit: 1 } },
      { kind: 'rpc', id: 2, name: 'run.get', input: { runId: 7 } },
    ]);
    last().say({ kind: 'reply', id: 2, reply: { ok: true, value: [] } });
    last().say({ kind: 'reply', id: 1, reply: { ok: false, error: { code: 'conflict', message: 'x' } } });
    expect(await two).toEqual({ ok: true, value: [] });
    expect(await one).toEqual({ ok: false, error: { code: 'conflict', message: 'x' } });
  });

  test('a core that dies leaves no call open, and the next one hears the subscriptions and the waiting calls', async () => {
    last().say(ready(41));
    link.subscribe({ topics: ['runs'], line: ['run:7'] });
    const asked = link.call('run.cancel', { runId: 7 });
    last().die('exited with code 9');
    expect(await asked).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(link.observed()).toMatchObject({
      state: 'restarting',
      detail: 'exited with code 9',
      pid: null,
      restarts: 1,
    });
    const since = link.observed().since;
    const waiting = link.call('run.get', { runId: 7 });
    clock.pass(250);
    expect(started).toHaveLength(2);
    expect(link.observed()).toMatchObject({ state: 'restarting', since });
    last().say(ready(42));
    expect(last().told.slice(1)).toEqual([
      { kind: 'subscribe', topics: ['runs'], line: [] },
      { kind: 'line' },
      { kind: 'subscribe', topics: ['runs'], line: ['run:7'] },
      { kind: 'rpc', id: 2, name: 'run.get', input: { runId: 7 } },
    ]);
    last().say({ kind: 'reply', id: 2, reply: { ok: true, value: 1 } });
    expect(await waiting).toEqual({ ok: true, value: 1 });
    expect(link.observed()).toMatchObject({ state: 'running', pid: 42, restarts: 1 });
  });

  test('a core is given a line to the window before the first topic that needs it, and a new one for another page', () => {
    last().say(ready(41));
    link.subscribe({ topics: ['runs'], line: [] });
    expect(lines).toBe(0);
    link.subscribe({ topics: ['runs'], line: ['run:7'] });
    link.subscribe({ topics: [], line: ['run:7', 'stream:7'] });
    expect(last().told.slice(-3)).toEqual([
      { kind: 'line' },
      { kind: 'subscribe', topics: ['runs'], line: ['run:7'] },
      { kind: 'subscribe', topics: [], line: ['run:7', 'stream:7'] },
    ]);
    expect(last().ports).toHaveLength(1);
    link.renewLine();
    link.subscribe({ topics: [], line: ['run:8'] });
    expect(last().told.slice(-2)).toEqual([
      { kind: 'line' },
      { kind: 'subscribe', topics: [], line: ['run:8'] },
    ]);
    expect(last().ports).toHaveLength(2);
  });

  test('a core that does not come leaves its callers with an answer: the first in 60 s, later ones in 5 s', async () => {
    const first = link.call('run.list', {});
    clock.pass(60_000);
    expect(await first).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    last().say(ready(41));
    last().die('gone');
    const asked = link.call('run.list', {});
    clock.pass(5000);
    expect(await asked).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  });

  test('a core is given up after five quick deaths, and started again on request', async () => {
    for (let death = 0; death < 5; death += 1) {
      last().die('exited with code 1');
      clock.pass(10_000);
    }
    expect(started).toHaveLength(5);
    expect(link.observed()).toMatchObject({ state: 'failed', detail: 'exited with code 1' });
    expect(await link.call('run.list', {})).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    link.restart();
    expect(started).toHaveLength(6);
    const asked = link.call('run.list', {});
    last().say(ready(43));
    last().say({ kind: 'reply', id: 1, reply: { ok: true, value: 'again' } });
    expect(await asked).toEqual({ ok: true, value: 'again' });
  });

  test('a core that dies again and again, each time after a while, is reported until it has lived for 10 minutes', () => {
    const live = (ms: number): void => {
      last().say(ready(41));
      clock.pass(ms);
    };
    const die = (): void => {
      last().die('exited with code 9');
      untilStarted();
    };
    const since = clock.now() + 11_000;
    live(11_000);
    die();
    live(11_000);
    link.restart();
    untilStarted();
    live(11_000);
    die();
    expect(link.observed().unsteady).toBeNull();
    live(200_000);
    die();
    const unsteady = { times: 3, since, last: 'exited with code 9' };
    expect(link.observed().unsteady).toEqual(unsteady);
    live(599_999);
    expect(link.observed()).toMatchObject({ state: 'running', unsteady });
    clock.pass(1);
    expect(link.observed()).toMatchObject({ state: 'running', unsteady: null });
    die();
    expect(link.observed().unsteady).toBeNull();
  });

  test('a core with a fatal error is not started again, and callers get that error', async () => {
    last().say({ kind: 'fatal', error: { code: 'store.newer', message: 'made by a newer Muster' } });
    last().die('exited with code 1');
    clock.pass(60_000);
    expect(started).toHaveLength(1);
    expect(link.observed()).toMatchObject({ state: 'failed', detail: 'made by a newer Muster' });
    expect(await link.call('run.list', {})).toMatchObject({ ok: false, error: { code: 'store.newer' } });
  });

  test('a core that says it cannot go on and does not exit is ended', () => {
    last().say({ kind: 'fatal', error: { code: 'store.failed', message: 'x' } });
    clock.pass(2000);
    expect(states()).toBe('failed');
  });

  test('pushes of a core are passed on, and unreadable ones dropped', () => {
    last().say(ready(41));
    last().say({ kind: 'push', pushes: [{ topic: 'workflows', projectId: 3 }] });
    last().say({ kind: 'push', pushes: [{ subject: 'x' }] });
    last().say('nonsense');
    expect(pushes).toEqual([{ topic: 'workflows', projectId: 3 }]);
  });

  test('a core is shut down when it has answered, and not started again', async () => {
    last().say(ready(41));
    const over = link.shutdown(false, 1000);
    expect(last().told.at(-1)).toEqual({ kind: 'shutdown', stop: false });
    expect(await link.call('run.list', {})).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    last().say({ kind: 'stopped' });
    await over;
    clock.pass(60_000);
    expect(started).toHaveLength(1);
  });

  test('a core that does not answer the shutdown is ended at the limit', async () => {
    last().say(ready(41));
    const over = link.shutdown(true, 1000);
    clock.pass(1000);
    await over;
    expect(started).toHaveLength(1);
  });
});

describe('a database that another core holds', () => {
  beforeEach(() => {
    last().say(locked);
    last().die('exited with code 1');
    clock.pass(250);
  });

  test('a database that another core holds leads to that core, with subscriptions and calls, but nothing that only a host may say', () => {
    expect(started.map((one) => one.how)).toEqual(['own', 'attached']);
    link.subscribe({ topics: ['runs'], line: ['run:7'] });
    last().say(ready(77));
    expect(link.observed()).toMatchObject({ state: 'attached', pid: 77 });
    expect(link.own).toBe(false);
    link.setSecrets({ KEY: 'secret' });
    link.wake();
    link.givePty({});
    void link.call('run.list', {});
    expect(last().told).toEqual([
      { kind: 'subscribe', topics: ['runs', 'run:7'] },
      { kind: 'rpc', id: 1, name: 'system.takeUp', input: {} },
      { kind: 'rpc', id: 2, name: 'run.list', input: {} },
    ]);
    expect(ups).toEqual([false]);
    expect(lines).toBe(0);
    // Only a core of our own uses a key in the keychain.
    last().say({ kind: 'answer-key' });
    expect(keysWanted).toBe(0);
  });

  test('a core that holds the database goes on with all runs there, not only with the one for which it was started', () => {
    last().say(ready(77));
    expect(last().told).toContainEqual({ kind: 'rpc', id: 1, name: 'system.takeUp', input: {} });
  });

  test('a core of another version that holds the database is named with its version', () => {
    last().say({ ...ready(77), version: '9' });
    expect(link.observed()).toMatchObject({
      state: 'attached',
      detail:
        'Another Muster, of version 9, uses the database. This one has version 0 and may not understand it: quit that one.',
    });
  });

  test('a database becomes ours when the core that held it has ended', () => {
    last().say(ready(77));
    last().die('ended');
    clock.pass(250);
    last().say(ready(42));
    expect(started.map((one) => one.how)).toEqual(['own', 'attached', 'own']);
    expect(link.observed()).toMatchObject({ state: 'running', pid: 42 });
  });

  test('a held database without a reachable core is tried in turn, callers are told, and it is ours once it is free', async () => {
    const waiting = link.call('run.list', {});
    last().die('no socket');
    while (states() !== 'failed') {
      untilStarted();
      if (started.at(-1)?.how === 'own') last().say(locked);
      last().die('over');
    }
    // Five of our own, and before each but the first a search for the lease holder.
    const hows = Array.from({ length: 9 }, (_, at) => (at % 2 === 0 ? 'own' : 'attached'));
    expect(started.map((one) => one.how)).toEqual(hows);
    expect(link.observed()).toMatchObject({ state: 'failed', detail: 'Another Muster uses the database.' });
    expect(await waiting).toMatchObject({ ok: false, error: { code: 'store.locked' } });
    expect(await link.call('run.list', {})).toMatchObject({ ok: false, error: { code: 'store.locked' } });
    for (let round = 0; round < 9; round += 1) {
      untilStarted();
      if (started.at(-1)?.how === 'own') last().say(locked);
      last().die('over');
      expect(states()).toBe('failed');
    }
    untilStarted();
    expect(started.at(-1)?.how).toBe('own');
    last().say(ready(42));
    expect(states()).toBe('running');
    const asked = link.call('run.list', {});
    last().say({ kind: 'reply', id: 2, reply: { ok: true, value: 'ours' } });
    expect(await asked).toEqual({ ok: true, value: 'ours' });
  });

  test('a held database without a socket is tried by a core of our own every 10 s, once that is known', () => {
    while (states() !== 'failed') {
      if (started.at(-1)?.how === 'own') last().say(locked);
      last().die('over');
      if (states() !== 'failed') untilStarted();
    }
    for (let round = 0; round < 3; round += 1) {
      clock.pass(10_000);
      expect(started.at(-1)?.how).toBe('attached');
      last().die('no socket');
      clock.pass(0);
      expect(started.at(-1)?.how).toBe('own');
      expect(states()).toBe('failed');
      last().say(locked);
      last().die('exited with code 1');
      expect(states()).toBe('failed');
    }
  });

  test('a core that holds the database and does not answer is reported', () => {
    clock.pass(5000);
    expect(link.observed()).toMatchObject({
      state: 'restarting',
      detail: 'Another Muster uses the database and does not answer.',
    });
    expect(started.at(-1)?.how).toBe('own');
    last().say(locked);
    last().die('exited with code 1');
    untilStarted();
    expect(started.at(-1)?.how).toBe('attached');
    last().say(ready(77));
    clock.pass(60_000);
    expect(link.observed()).toMatchObject({ state: 'attached', pid: 77 });
  });

  test('a database that becomes free later is ours then, without the operator', async () => {
    last().die('no socket');
    while (states() !== 'failed') {
      untilStarted();
      if (started.at(-1)?.how === 'own') last().say(locked);
      last().die('over');
    }
    untilStarted();
    last().die('no socket');
    untilStarted();
    expect(started.slice(-2).map((one) => one.how)).toEqual(['attached', 'own']);
    last().say(ready(42));
    expect(link.observed()).toMatchObject({ state: 'running', pid: 42 });
    const asked = link.call('run.list', {});
    expect(last().told.at(-1)).toEqual({ kind: 'rpc', id: 1, name: 'run.list', input: {} });
    last().say({ kind: 'reply', id: 1, reply: { ok: true, value: 1 } });
    expect(await asked).toEqual({ ok: true, value: 1 });
  });

  test('a shutdown leaves the core of another process alone', async () => {
    last().say(ready(77));
    await link.shutdown(true, 1000);
    expect(last().told).toEqual([
      { kind: 'subscribe', topics: [] },
      { kind: 'rpc', id: 1, name: 'system.takeUp', input: {} },
    ]);
  });
});
