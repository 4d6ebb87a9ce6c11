import { HOUR_MS } from '@contract/time-units';
import { Harness } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import type { HostState } from '../contract/host';
import { lostHostOf } from '../contract/reduce';
import { HostWatch } from './host-watch';

const appError = { code: 'host.unreachable', message: 'gone' } as const;

/** A run with a command on gpu1, and a connection that the test breaks and mends. */
async function stage(more: object = {}) {
  const harness = new Harness();
  harness.commands.answer = () => null;
  harness.commands.survives = () => true;
  const command = { id: 'a', type: 'step.command', config: { script: 'train', terminal: false } };
  await harness.run({ host: 'gpu1', steps: [command], ...more });
  let state: HostState = { kind: 'connected', since: 0 };
  const watching = () => {
    const { clock, engine } = harness;
    const rows = () => [{ name: 'gpu1', ssh: 'gpu1', addedAt: 1, state, facts: null }];
    const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
    return new HostWatch({ engine, clock, logger, rows });
  };
  let watch = watching();
  return {
    harness,
    async become(next: HostState) {
      state = next;
      watch.look();
      await harness.idle();
    },
    lose() {
      return this.become({ kind: 'disconnected', since: harness.clock.now(), error: appError });
    },
    async pass(ms: number) {
      harness.clock.advance(ms);
      await harness.idle();
    },
    /** The next core finds the command of the former one, or none. */
    async restart() {
      await harness.restart();
      watch = watching();
      watch.look();
      await harness.idle();
    },
    gates: () => Object.values(harness.state().gates).map(({ kind, status }) => `${kind} ${status}`),
    told: () =>
      harness
        .events()
        .map(({ type }) => type)
        .filter((type) => /^host\./.test(type)),
    lost: () => lostHostOf(harness.state(), { status: 'running', activationId: 1 }),
  };
}

test('a broken connection is recorded once with its time, and its return ends that', async () => {
  const { harness, become, lose, told, lost } = await bound();
  const since = harness.clock.now();
  await lose();
  await lose();
  expect([told(), lost()]).toEqual([['host.disconnected'], { host: 'gpu1', since }]);
  expect(harness.state().commands[1]?.status).toBe('running');
  await become({ kind: 'connected', since: 5 });
  expect([told(), lost()]).toEqual([['host.disconnected', 'host.reconnected'], null]);
});

test('a run without work on the host records nothing', async () => {
  const { harness, lose, told } = await bound();
  harness.commands.ran[0]?.end({ output: 'done' });
  await harness.idle();
  await lose();
  expect(told()).toEqual([]);
});

test('after lost_after the operator is asked, and asked again after as long where the answer is to wait', async () => {
  const { harness, lose, pass, gates } = await bound({ lost_after: '2h' });
  await lose();
  await pass(2 * HOUR_MS - 1);
  expect(gates()).toEqual([]);
  await pass(1);
  expect(gates()).toEqual(['host_lost open']);
  await harness.answer('wait');
  await lose();
  await pass(2 * HOUR_MS - 1);
  expect(gates()).toEqual(['host_lost resolved']);
  await pass(1);
  expect(gates()).toEqual(['host_lost resolved', 'host_lost open']);
  expect(harness.state().commands[1]?.status).toBe('running');
});

test('without lost_after the operator is asked after twelve hours', async () => {
  const { lose, pass, gates } = await bound();
  await lose();
  await pass(12 * HOUR_MS - 1);
  expect(gates()).toEqual([]);
  await pass(1);
  expect(gates()).toEqual(['host_lost open']);
});

test('a core that dies leaves the record, and the question ends with the work that ended with the core', async () => {
  const { harness, lose, pass, restart, gates, told } = await bound({ lost_after: '2h' });
  await lose();
  const { lostHosts } = harness.state();
  await pass(2 * HOUR_MS);
  expect(gates()).toEqual(['host_lost open']);
  await restart();
  expect([told(), harness.state().lostHosts]).toEqual([['host.disconnected'], lostHosts]);
  expect(gates()).toEqual(['host_lost withdrawn', 'interrupted_command open']);
});

test('the question is withdrawn when the connection is back', async () => {
  const { harness, become, lose, pass } = await bound({ lost_after: '1s' });
  await lose();
  await pass(1_000);
  await become({ kind: 'connected', since: 5 });
  expect(harness.state().gates[1]).toMatchObject({
    status: 'withdrawn',
    reason: 'The connection to gpu1 is back.',
  });
});

test('work counted as interrupted ends here after the answer is stored, and follows on_interrupt', async () => {
  const { harness, lose, pass } = await bound({ lost_after: '1s' });
  await lose();
  await pass(1_000);
  const [ran] = harness.commands.ran;
  expect(ran?.givenUp).toBe(false);
  await harness.answer('interrupt');
  expect(ran?.givenUp).toBe(true);
  expect(harness.state().commands[1]?.status).toBe('interrupted');
  const types = harness.events().map(({ type }) => type);
  expect(types.indexOf('gate.resolved')).toBeLessThan(types.indexOf('command.interrupted'));
  expect(harness.state().gates[2]).toMatchObject({ kind: 'interrupted_command', status: 'open' });
});

async function bound(more: object = {}) {
  const made = await stage(more);
  return { ...made, lose: () => made.lose() };
}
