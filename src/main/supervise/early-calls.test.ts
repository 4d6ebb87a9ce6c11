import { beforeEach, expect, test } from 'vitest';
import { CoreLink } from './core-link';
import { FakeClock, FakeTransport } from './testing/fakes';

let clock: FakeClock;
let started: FakeTransport[];
let link: CoreLink;

const ready = (pid: number) => ({ kind: 'ready', pid, version: '0', apiAddress: null });
const last = () => started.at(-1) ?? new FakeTransport(0);

beforeEach(() => {
  clock = new FakeClock();
  started = [];
  const add = () => {
    started.push(new FakeTransport(started.length + 100));
    return last();
  };
  link = new CoreLink({
    clock,
    log: () => undefined,
    spawn: add,
    attach: add,
    line: () => ({}),
    init: () => ({
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
    }),
    up: () => undefined,
    wantsAnswerKey: () => undefined,
    crashed: () => undefined,
    changed: () => undefined,
    pushed: () => undefined,
  });
  link.start();
});

test('a core of our own gets the first queries of a window before it says that it answers, after what is followed', async () => {
  const early = link.call('settings.get', {});
  link.subscribe({ topics: ['gates'], line: ['run:7'] });
  const gates = link.call('gate.list', {});
  void link.call('run.list', { limit: 1 });
  const asked = [
    { kind: 'rpc', id: 1, name: 'settings.get', input: {} },
    { kind: 'subscribe', topics: ['gates'], line: [] },
    { kind: 'rpc', id: 2, name: 'gate.list', input: {} },
  ];
  expect(last().told.slice(1)).toEqual(asked);
  last().say(ready(41));
  // Once is enough.
  expect(last().told.slice(4)).toEqual([
    { kind: 'line' },
    { kind: 'subscribe', topics: ['gates'], line: ['run:7'] },
    { kind: 'rpc', id: 3, name: 'run.list', input: { limit: 1 } },
  ]);
  last().say({ kind: 'reply', id: 1, reply: { ok: true, value: 'settings' } });
  last().say({ kind: 'reply', id: 2, reply: { ok: true, value: [] } });
  expect([await early, await gates]).toEqual([
    { ok: true, value: 'settings' },
    { ok: true, value: [] },
  ]);
});

test('a core that dies before it answers leaves its early queries to the next one', async () => {
  const gates = link.call('gate.list', {});
  last().die('exited with code 9');
  for (const before = started.length; started.length === before; ) clock.pass(250);
  const again = { kind: 'rpc', id: 1, name: 'gate.list', input: {} };
  expect(last().told.slice(1)).toEqual([again]);
  last().say(ready(42));
  expect(last().told.filter((message) => (message as { kind: string }).kind === 'rpc')).toEqual([again]);
  last().say({ kind: 'reply', id: 1, reply: { ok: true, value: [] } });
  expect(await gates).toEqual({ ok: true, value: [] });
});

test('a core that has been asked is not said to be starting, however long it takes to answer', async () => {
  const asked = link.call('run.list', { limit: 1 });
  clock.pass(59_000);
  last().say(ready(41));
  clock.pass(2_000);
  last().say({ kind: 'reply', id: 1, reply: { ok: true, value: 'runs' } });
  expect(await asked).toEqual({ ok: true, value: 'runs' });
});
