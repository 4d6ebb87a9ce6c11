import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { OutputFile, textFromTheMiddle } from './output-file';

const folder = mkdtempSync(join(tmpdir(), 'muster-output-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const quiet = { written: () => undefined, holdBack: () => undefined };

test('appends in order, tells what is written, gives its own end only', async () => {
  const path = join(folder, 'deep', 'one.txt');
  const first = await OutputFile.open(path, quiet);
  first.push(Buffer.from('earlier'));
  expect(await first.close()).toBe('earlier');
  const told: number[] = [];
  const second = await OutputFile.open(path, { ...quiet, written: (bytes) => void told.push(bytes) });
  for (let at = 0; at < 1000; at += 1) second.push(Buffer.from(`${at},`));
  expect(await second.close()).toBe(Array.from({ length: 1000 }, (_, at) => `${at},`).join(''));
  expect(told.at(-1)).toBe(second.bytes);
  expect(readFileSync(path, 'utf8').startsWith('earlier0,1,2,')).toBe(true);
});

test('holds the program back while the disk is behind, and lets it go on', async () => {
  const calls: boolean[] = [];
  const file = await OutputFile.open(join(folder, 'flood.txt'), {
    ...quiet,
    holdBack: (on) => void calls.push(on),
  });
  for (let at = 0; at < 40; at += 1) file.push(Buffer.alloc(64 * 1024, 'x'));
  await file.close();
  expect(file.bytes).toBe(40 * 64 * 1024);
  expect(calls[0]).toBe(true);
  expect(calls.at(-1)).toBe(false);
});

test.skipIf(!existsSync('/dev/full'))('tells of a full disk and takes no more', async () => {
  const file = await OutputFile.open('/dev/full', quiet);
  file.push(Buffer.from('lost'));
  expect(await file.close()).toBe('');
  expect(file.error?.message).toContain('ENOSPC');
  expect(file.bytes).toBe(0);
});

test('text that begins inside a character loses its left-over bytes only', () => {
  const euro = Buffer.from('€a');
  expect([1, 2, 3].map((from) => textFromTheMiddle(euro.subarray(from), true))).toEqual(['a', 'a', 'a']);
  expect(textFromTheMiddle(euro, true)).toBe('€a');
});
