import { appendFileSync, statSync, utimesSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MIGRATIONS } from '../migrations/index';
import { Place } from '../testing/place';
import { type Finding, inspect } from './inspect';
import type { Past } from './lease';

const DAY = 24 * 3600_000;
const NOW = 100 * DAY;
const BOOT = 90 * DAY;

let place: Place;
beforeEach(() => {
  place = new Place();
  place.open().close();
});
afterEach(() => place.remove());

const look = (past: Partial<Past>): Finding =>
  inspect(place.path, {
    latest: MIGRATIONS.length,
    now: NOW,
    boot: BOOT,
    busyTimeoutMs: 50,
    past: { shutdown: null, boot: BOOT, checkedAt: NOW - DAY, ...past },
  });

const leftAs = (): Past['shutdown'] => {
  const { size, mtimeMs } = statSync(place.path);
  return { bytes: size, changedAt: Math.trunc(mtimeMs) };
};

const sound = (checked: boolean): Finding => ({ kind: 'sound', version: MIGRATIONS.length, checked });

test('a database that is as it was closed is not checked', () => {
  expect(look({ shutdown: leftAs() })).toEqual(sound(false));
});

test('a database that changed since its close is checked', () => {
  const shutdown = leftAs();
  utimesSync(place.path, 1, 1);
  expect(look({ shutdown })).toEqual(sound(true));
});

test('a database that was never checked, or not for a week, is checked', () => {
  expect(look({ shutdown: leftAs(), checkedAt: null })).toEqual(sound(true));
  expect(look({ shutdown: leftAs(), checkedAt: NOW - 8 * DAY })).toEqual(sound(true));
});

test('after a crash a small database is always checked, and a large one where the machine went down too', () => {
  expect(look({})).toEqual(sound(true));
  // Pages that belong to no table: large enough for the size limit, recent enough for the time limit.
  appendFileSync(place.path, Buffer.alloc(65 * 1024 * 1024));
  expect(look({})).toEqual(sound(false));
  expect(look({ boot: BOOT - DAY })).toEqual(sound(true));
});
