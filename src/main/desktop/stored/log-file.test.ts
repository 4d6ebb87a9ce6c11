import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLog } from './log-file';

/** Long: the machine may be busy. */
const WAIT = { timeout: 120_000 };

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-log-'));
  path = join(folder, 'logs', 'main.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const linesOf = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;

test('a screen that is gone costs one try, and nothing of the log', async () => {
  let tries = 0;
  const gone = new Writable({
    autoDestroy: false,
    write: (_chunk, _encoding, done) => {
      tries += 1;
      done(new Error('write EPIPE'));
    },
  });
  const log = openLog(path, { screen: gone });
  log('error', 'one');
  await vi.waitFor(() => expect(gone.errored).not.toBeNull(), WAIT);
  log('error', 'two');
  log('warn', 'three');
  await vi.waitFor(() => expect(linesOf(path)).toBe(3), WAIT);
  expect(tries).toBe(1);
});

test('a log file stays within its size while it is written, with one file before it', async () => {
  const log = openLog(path, { mostBytes: 1000 });
  for (let round = 0; round < 10; round += 1) {
    log('info', `${round} ${'x'.repeat(600)}`);
    await vi.waitFor(() => expect(readFileSync(path, 'utf8')).toContain(`info ${round} `), WAIT);
  }
  expect(statSync(path).size).toBeLessThan(2000);
  expect(statSync(`${path}.1`).size).toBeLessThan(2000);
});

test('a log file that cannot be written disturbs nothing else', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const log = openLog(join(file, 'logs', 'main.log'));
  expect(() => log('info', 'said to nobody')).not.toThrow();
});
