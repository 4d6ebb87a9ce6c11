import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { readSpan } from '../screen/terminal-history';
import { OutputFile, textFromTheMiddle } from './output-file';
import { keptSpan, OutputBytes } from './segments';

const folder = mkdtempSync(join(tmpdir(), 'muster-output-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const quiet = { written: () => undefined, holdBack: () => undefined, evicted: () => undefined };
const unlimited = () => Number.MAX_SAFE_INTEGER;

test('an output file appends in order, and reports what is written of its own', async () => {
  const path = join(folder, 'deep', 'one.txt');
  const first = await OutputFile.open(path, quiet, unlimited);
  first.push(Buffer.from('earlier'));
  await first.close();
  const told: number[] = [];
  const second = await OutputFile.open(
    path,
    { ...quiet, written: (bytes) => void told.push(bytes) },
    unlimited,
  );
  for (let at = 0; at < 1000; at += 1) second.push(Buffer.from(`${at},`));
  await second.close();
  expect(told.at(-1)).toBe(second.bytes);
  expect(readFileSync(path, 'utf8')).toBe(
    `earlier${Array.from({ length: 1000 }, (_, at) => `${at},`).join('')}`,
  );
});

test('an output file holds the program back while the disk is behind, and lets it go on', async () => {
  const calls: boolean[] = [];
  const file = await OutputFile.open(
    join(folder, 'flood.txt'),
    {
      ...quiet,
      holdBack: (on) => void calls.push(on),
    },
    unlimited,
  );
  // On a screen, other threads write; none of them interleaves.
  file.setSeen(true);
  for (let at = 0; at < 40; at += 1) file.push(Buffer.alloc(64 * 1024, 'x'));
  await file.close();
  expect(file.bytes).toBe(40 * 64 * 1024);
  expect(calls[0]).toBe(true);
  expect(calls.at(-1)).toBe(false);
});

test('a flood that no one sees is written whole and in order, by whichever thread', async () => {
  const path = join(folder, 'unseen.txt');
  const file = await OutputFile.open(path, quiet, unlimited);
  for (let at = 0; at < 40; at += 1) file.push(Buffer.alloc(64 * 1024, String(at % 10)));
  await file.close();
  const wanted = Array.from({ length: 40 }, (_, at) => String(at % 10).repeat(64 * 1024)).join('');
  expect(readFileSync(path, 'utf8') === wanted).toBe(true);
});

test.skipIf(!existsSync('/dev/full'))('an output file reports a full disk and takes no more', async () => {
  const file = await OutputFile.open('/dev/full', quiet, unlimited);
  file.push(Buffer.from('lost'));
  await file.close();
  expect(file.error?.message).toContain('ENOSPC');
  expect(file.bytes).toBe(0);
});

test('text that begins inside a character loses its left-over bytes only', () => {
  const euro = Buffer.from('€a');
  expect([1, 2, 3].map((from) => textFromTheMiddle(euro.subarray(from), true))).toEqual(['a', 'a', 'a']);
  expect(textFromTheMiddle(euro, true)).toBe('€a');
});

/** The stored output, across all files. */
function kept(path: string): { from: number; text: string } {
  const { from, end } = keptSpan(path);
  const bytes = new OutputBytes(path);
  const text = readSpan(bytes, from, end).toString();
  bytes.close();
  return { from, text };
}

test('of an output over its limit the oldest is dropped, and the newest is whole', async () => {
  const path = join(folder, 'limited', 'one.log');
  const limit = 1024 * 1024;
  const dropped: number[] = [];
  let most = 0;
  let held = false;
  const sizes = () =>
    readdirSync(join(folder, 'limited')).reduce(
      (sum, name) => sum + (statSync(join(folder, 'limited', name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  const listener = {
    ...quiet,
    written: () => {
      most = Math.max(most, sizes());
    },
    evicted: (before: number) => void dropped.push(before),
    holdBack: (on: boolean) => {
      held = on;
    },
  };
  const printed: Buffer[] = [];
  for (let program = 0; program < 2; program += 1) {
    const file = await OutputFile.open(path, listener, () => limit);
    for (let at = 0; at < 60; at += 1) {
      const data = Buffer.from(`${program} ${at} `.padEnd(30_000, '.'));
      printed.push(data);
      file.push(data);
      do await new Promise((resolve) => setImmediate(resolve));
      while (held);
    }
    await file.close();
  }
  const whole = Buffer.concat(printed).toString();
  const { from, text } = kept(path);
  expect(from).toBeGreaterThan(0);
  expect(dropped.at(-1)).toBe(from);
  expect(text).toBe(whole.slice(from));
  expect(text.length).toBeGreaterThanOrEqual(limit / 4);
  expect(most).toBeLessThanOrEqual(limit + 256 * 1024);
  expect(statSync(path).size).toBe(0);
});

test('the little output that someone waits for is in the file at once, behind no other write', async () => {
  const path = join(folder, 'urgent.txt');
  const file = await OutputFile.open(path, quiet, unlimited);
  file.hasten();
  file.push(Buffer.from('echo'));
  expect(readFileSync(path, 'utf8')).toBe('echo');
  file.push(Buffer.from(' later'));
  expect(readFileSync(path, 'utf8')).toBe('echo');
  await file.close();
  expect(readFileSync(path, 'utf8')).toBe('echo later');
});

test('output that comes during a write is gathered again, unless someone waits for it or looks', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const batches: number[] = [];
  let told: () => void = () => undefined;
  const next = () =>
    new Promise<void>((resolve) => {
      told = resolve;
    });
  const written = (_: number, batch: Buffer): void => {
    batches.push(batch.length);
    told();
  };
  const file = await OutputFile.open(join(folder, 'batches.txt'), { ...quiet, written }, unlimited);
  const first = next();
  file.push(Buffer.alloc(256 * 1024));
  file.push(Buffer.alloc(1000));
  await first;
  for (let at = 0; at < 20; at += 1) file.push(Buffer.alloc(1000));
  const second = next();
  vi.advanceTimersByTime(47);
  expect(batches).toEqual([256 * 1024]);
  vi.advanceTimersByTime(1);
  await second;
  const third = next();
  file.hasten();
  file.push(Buffer.alloc(7));
  await third;
  file.push(Buffer.alloc(8));
  file.setSeen(true);
  const fourth = next();
  vi.advanceTimersByTime(16);
  file.push(Buffer.alloc(9));
  await fourth;
  const fifth = next();
  await fifth;
  file.push(Buffer.alloc(10));
  await file.close();
  vi.useRealTimers();
  expect(batches).toEqual([256 * 1024, 21_000, 7, 8, 9, 10]);
});
