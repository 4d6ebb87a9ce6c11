import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger, type LogDisk } from './logger';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-log-'));
  path = join(folder, 'logs', 'core.log');
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
});

const linesOf = (file: string): { message: string; missing?: number }[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const sizes = { fileBytes: 1000, folderBytes: 6000 };

test('a log is a file of this user alone, with a line of JSON for each message', () => {
  createLogger(path).warn('said', { run: 7 });
  expect(linesOf(path)).toMatchObject([{ level: 'warn', message: 'said', run: 7 }]);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a log has three generations of its size, the newest lines in the first', () => {
  const logger = createLogger(path, { sizes });
  for (let line = 0; line < 60; line += 1) logger.info(`line ${line} ${'x'.repeat(100)}`);
  expect(readdirSync(join(folder, 'logs')).sort()).toEqual(['core.log', 'core.log.1', 'core.log.2']);
  const texts = ['core.log.2', 'core.log.1', 'core.log'].flatMap((name) =>
    linesOf(join(folder, 'logs', name)).map(({ message }) => message),
  );
  expect(texts.at(-1)).toContain('line 59 ');
  expect(texts).toEqual([...texts].sort((one, other) => numberIn(one) - numberIn(other)));
  for (const name of readdirSync(join(folder, 'logs')))
    expect(statSync(join(folder, 'logs', name)).size).toBeLessThan(1300);
});

const numberIn = (text: string): number => Number(text.split(' ')[1]);

test('the logs of all processes together keep within their size, and each keeps its current file', () => {
  for (const name of ['a', 'b', 'c', 'd']) {
    const logger = createLogger(join(folder, `${name}.log`), { sizes });
    for (let line = 0; line < 40; line += 1) logger.info('x'.repeat(100));
  }
  const names = readdirSync(folder);
  const bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  expect(bytes).toBeLessThanOrEqual(sizes.folderBytes + 200);
  expect(names).toEqual(expect.arrayContaining(['a.log', 'b.log', 'c.log', 'd.log', 'd.log.1']));
});

test('a full disk stops nothing, and the next line that is written says how many are missing', () => {
  let full = true;
  const kept: string[] = [];
  const disk: LogDisk = {
    append: (_path, line) => {
      if (full) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      kept.push(line);
    },
    rename: () => undefined,
  };
  const logger = createLogger(path, { disk });
  logger.info('one');
  logger.error('two');
  full = false;
  logger.info('three');
  expect(kept.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', missing: 2 },
    { level: 'info', message: 'three' },
  ]);
});

test('a folder that cannot be written, or is a file, disturbs nothing', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => createLogger(join(file, 'logs', 'main.log')).error('lost')).not.toThrow();
  const readOnly = join(folder, 'read-only');
  mkdirSync(readOnly, { mode: 0o500 });
  expect(() => createLogger(join(readOnly, 'logs', 'main.log')).error('lost')).not.toThrow();
});

test('a log that cannot be renamed grows, and loses no line', () => {
  const logger = createLogger(path, {
    sizes,
    disk: {
      append: (file, line) => {
        mkdirSync(join(folder, 'logs'), { recursive: true });
        writeFileSync(file, line, { flag: 'a' });
      },
      rename: () => {
        throw new Error('EBUSY');
      },
    },
  });
  for (let line = 0; line < 20; line += 1) logger.info(`line ${line} ${'x'.repeat(100)}`);
  expect(linesOf(path)).toHaveLength(20);
});

test('a detail that no JSON can hold, or one of many megabytes, breaks no log call', () => {
  const logger = createLogger(path);
  const circle: Record<string, unknown> = {};
  circle.itself = circle;
  expect(() => logger.info('circle', circle)).not.toThrow();
  logger.info('large', { text: 'x'.repeat(5_000_000) });
  expect(statSync(path).size).toBeLessThan(100_000);
});
