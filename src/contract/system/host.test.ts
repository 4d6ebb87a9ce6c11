import { describe, expect, test } from 'vitest';
import { packedPush } from '../ipc';
import { fromCoreSchema, socketEndpointSchema, socketLineSchema, type ToCore, toCoreSchema } from './host';

const init: ToCore = {
  kind: 'init',
  version: '1',
  dataDir: '/d',
  dbPath: '/d/muster.db',
  instanceId: 'i',
  resourcesDir: '/r',
  processDir: '/p',
  nodeRuntime: { execPath: '/n', env: { ELECTRON_RUN_AS_NODE: '1' } },
  secrets: { KEY: 'value' },
  socket: { endpointFile: '/d/core-endpoint.json' },
};
const ptyHost = { state: 'running', since: 1, detail: null, unsteady: null } as const;
const toCore: ToCore[] = [
  init,
  { kind: 'rpc', id: 1, name: 'run.list', input: { limit: 3 } },
  { kind: 'subscribe', topics: ['runs', 'run:7', 'stream:7'] },
  { kind: 'secrets', secrets: {} },
  { kind: 'pty' },
  { kind: 'processes', ptyHost, restarts: 2 },
  { kind: 'wake' },
  { kind: 'shutdown', stop: false },
];

describe('the protocol of the core', () => {
  test.each(toCore)('the core accepts the message $kind as it is', (message) => {
    expect(toCoreSchema.parse(message)).toEqual(message);
  });

  test.each([
    { kind: 'ready', pid: 1, version: '1', apiAddress: null },
    { kind: 'fatal', error: { code: 'store.locked', message: 'x' } },
    { kind: 'reply', id: 1, reply: { ok: true, value: { any: [1] } } },
    {
      kind: 'push',
      pushes: [
        { topic: 'run', runId: 3, events: [{ whatever: true }] },
        { topic: 'workflows', projectId: 1 },
      ],
    },
    { kind: 'packed', pushes: [packedPush({ topic: 'run', runId: 3, events: [] })] },
    { kind: 'api', address: 'http://127.0.0.1:1' },
    { kind: 'stopped' },
  ])('the host accepts the message $kind of the core as it is', (message) => {
    expect(fromCoreSchema.parse(message)).toEqual(message);
  });

  test.each([
    [null],
    [{}],
    [{ kind: 'init' }],
    [{ ...init, secrets: { KEY: 1 } }],
    [{ kind: 'rpc', id: 'x', name: 'run.list' }],
    [{ kind: 'subscribe', topics: ['everything'] }],
    [{ kind: 'shutdown' }],
  ])('the core refuses the message %j', (message) => {
    expect(toCoreSchema.safeParse(message).success).toBe(false);
  });

  test.each([
    [{ kind: 'push', pushes: [{ runId: 3 }] }],
    [{ kind: 'push', pushes: [{ topic: 'run', runId: 'x' }] }],
    [{ kind: 'packed', pushes: [{ packed: '{}' }] }],
    [{ kind: 'reply', id: 1, reply: { ok: false } }],
    [{ kind: 'fatal', error: { code: 'made.up', message: 'x' } }],
  ])('the host refuses the message %j of the core', (message) => {
    expect(fromCoreSchema.safeParse(message).success).toBe(false);
  });

  test('a client of the socket may call and follow, and nothing that only a host may', () => {
    expect(
      toCore.filter((message) => socketLineSchema.safeParse(message).success).map((one) => one.kind),
    ).toEqual(['rpc', 'subscribe']);
    expect(socketEndpointSchema.safeParse({ path: '/s', token: 'short', pid: 1, version: '1' }).success).toBe(
      false,
    );
  });
});
