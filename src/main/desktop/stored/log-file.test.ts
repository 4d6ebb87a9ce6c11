import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  expect(linesOf(path)).toBe(3);
  expect(tries).toBe(1);
});

test('a log file that cannot be written disturbs nothing else', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const log = openLog(join(file, 'logs', 'main.log'));
  expect(() => log('info', 'said to nobody')).not.toThrow();
});
