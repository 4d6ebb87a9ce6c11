import type { write as writeFile } from 'node:fs';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { OutputFile } from './output-file';

const disk = vi.hoisted(() => ({ full: false, tried: 0 }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const write = (...args: Parameters<typeof writeFile>): void => {
    const told = args.at(-1) as (error: Error | null, written: number) => void;
    disk.tried += 1;
    if (!disk.full) return (fs.write as (...all: unknown[]) => void)(...args);
    setImmediate(() =>
      told(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }), 0),
    );
  };
  return { ...fs, write };
});

const folder = mkdtempSync(join(tmpdir(), 'muster-full-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  disk.full = false;
  disk.tried = 0;
});
const PATIENCE = { timeout: 120_000 };

async function opened(name: string) {
  const held: boolean[] = [];
  const file = await OutputFile.open(
    join(folder, name),
    { written: () => undefined, holdBack: (on) => void held.push(on), evicted: () => undefined },
    () => Number.MAX_SAFE_INTEGER,
  );
  return { file, held };
}

test('a full disk holds the program, and nothing is lost once there is room', async () => {
  const { file, held } = await opened('waits.log');
  disk.full = true;
  file.push(Buffer.from('one '));
  await expect.poll(() => disk.tried, PATIENCE).toBeGreaterThan(1);
  file.push(Buffer.from('two'));
  expect([file.error, held]).toEqual([null, [true]]);
  disk.full = false;
  await expect.poll(() => file.bytes, PATIENCE).toBe(7);
  expect(held).toEqual([true, false]);
  await file.close();
  expect(readFileSync(join(folder, 'waits.log'), 'utf8')).toBe('one two');
});

test('a program that ends while the disk is full waits no longer, and says that its output is incomplete', async () => {
  const { file } = await opened('ends.log');
  disk.full = true;
  file.push(Buffer.from('lost'));
  await expect.poll(() => disk.tried, PATIENCE).toBe(1);
  await file.close();
  expect(file.error?.message).toContain('ENOSPC');
});
