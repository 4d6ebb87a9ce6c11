import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { allProcesses } from '../../adapters/process/table/process-table';
import { CliWorld } from './testing/world';

const PATIENCE = { timeout: 120_000, interval: 20 };
const DIED = "Muster's terminal host died";

let world: CliWorld;
beforeEach(async () => {
  world = new CliWorld();
  await world.start();
});
afterEach(() => world.stop());

test('a turn whose terminal host is killed is interrupted with what was said, and its session is lost', async () => {
  const { session, turn, lost } = await world.open([], { limits: { idleMs: 120_000 } });
  const running = turn('first say:half_of_it wait:go signal');
  await vi.waitFor(() => expect(world.output()).toContain('half of it'), PATIENCE);
  process.kill(world.hostPid, 'SIGKILL');
  expect(await running).toMatchObject({
    outcome: 'failed',
    stopReason: 'host_died',
    interrupted: DIED,
    response: 'half of it',
    error: { code: 'unavailable' },
  });
  await vi.waitFor(() => expect(lost).toEqual([`The program was lost: ${DIED}.`]), PATIENCE);
  expect(await turn('second')).toMatchObject({ interrupted: DIED });
  await session.close();
}, 300_000);

test('nothing new begins in a terminal before the programs of the dead terminal host have ended', async () => {
  const { turn } = await world.open([], { limits: { idleMs: 120_000 } });
  // It ignores SIGHUP for a while, like agents with an exit handler.
  const running = turn('first stays pid wait:go signal');
  await vi.waitFor(() => expect(world.output()).toMatch(/pid=\d+/), PATIENCE);
  const pid = Number(/pid=(\d+)/.exec(world.output())?.[1]);
  process.kill(world.hostPid, 'SIGKILL');
  await running;
  const next = await world.open();
  const lives = (await allProcesses()).some((one) => one.pid === pid && !one.zombie);
  expect(lives).toBe(false);
  expect(existsSync(join(world.folder, 'go'))).toBe(false);
  expect(await next.turn('second signal')).toMatchObject({ outcome: 'completed' });
  await next.session.close();
}, 300_000);

test('a start whose terminal host is killed is no failure of the agent', async () => {
  const starting = world.open(['--ask-first'], { limits: { settleMs: 20_000 } });
  const failed = starting.then(
    () => null,
    (error: Error) => error.message,
  );
  await vi.waitFor(() => expect(world.output()).not.toBe(''), PATIENCE);
  process.kill(world.hostPid, 'SIGKILL');
  expect(await failed).toContain('"code":"unavailable"');
  expect(await failed).toContain(DIED);
}, 300_000);
