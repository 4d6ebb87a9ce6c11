import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Starts } from './starts';

const MINUTE = 60_000;

let folder: string;
let now: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-starts-'));
  now = 1_000_000_000;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const starts = () => new Starts(folder, () => now);

test('after three starts within ten minutes that reached nothing, the fourth is told', () => {
  const told = [1, 2, 3, 4].map(() => {
    now += 3 * MINUTE;
    return starts().begin();
  });
  expect(told).toEqual([false, false, false, true]);
  now += 3 * MINUTE;
  starts().reached();
  expect(starts().begin()).toBe(false);
});

test('starts that are longer ago, or lie in the future of a clock that was set back, do not count', () => {
  for (let start = 0; start < 6; start += 1) {
    expect(starts().begin()).toBe(false);
    now += 4 * MINUTE;
  }
  now = 1000;
  expect(starts().begin()).toBe(false);
});

test('the last crash is kept for the next start', () => {
  expect(starts().lastCrash()).toBeNull();
  starts().crashed('Core crashed (signal 11).');
  expect(starts().lastCrash()).toEqual({ at: '1970-01-12T13:46:40.000Z', text: 'Core crashed (signal 11).' });
});

test('a data folder that cannot be written keeps no one from starting', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const there = new Starts(join(file, 'data'));
  expect(there.begin()).toBe(false);
  there.crashed('x');
  there.reached();
  expect(there.lastCrash()).toBeNull();
});
