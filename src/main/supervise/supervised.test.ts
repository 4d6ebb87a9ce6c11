import { expect, test } from 'vitest';
import { Supervised } from './supervised';
import { FakeClock, FakeTransport } from './testing/fakes';

test('a process that ends by itself has crashed; one that was restarted, or said why it ends, has not', () => {
  const clock = new FakeClock();
  const crashes: string[] = [];
  let last = new FakeTransport(1);
  const supervised = new Supervised({
    name: 'core',
    clock,
    log: () => undefined,
    start: () => {
      last = new FakeTransport(1);
      return last;
    },
    connected: () => undefined,
    lost: () => undefined,
    changed: () => undefined,
    crashed: (detail) => void crashes.push(detail),
  });
  supervised.start();
  supervised.ready(1);
  last.die('It crashed (signal 11).');
  clock.pass(250);
  expect(crashes).toEqual(['It crashed (signal 11).']);
  supervised.ready(2);
  supervised.restart();
  last.die('It ended with code 15.');
  clock.pass(10_000);
  supervised.doomed('The disk is full.', false);
  last.die('It ended with code 1.');
  expect(crashes).toHaveLength(1);
});
