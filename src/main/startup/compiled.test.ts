import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCompiled } from './compiled';

let folder: string;
let keepIn: string;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  folder = mkdtempSync(join(tmpdir(), 'compiled-'));
  keepIn = join(folder, 'kept');
  write('one.cjs', "exports.sum = require('./two.cjs').two + require('node:path').basename('/x/3').length;");
  write('two.cjs', 'exports.two = 2;');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.useRealTimers();
});

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const start = (): object => runCompiled(join(folder, 'one.cjs'), keepIn);
const kept = (): string[] => readdirSync(keepIn).sort();

test('a compiled script gives its exports, and is kept compiled with those that it requires', () => {
  expect(start()).toEqual({ sum: 3 });
  vi.runAllTimers();
  expect(kept().map((name) => name.slice(0, 7))).toEqual(['one.cjs', 'two.cjs']);
  const before = kept();
  expect(start()).toEqual({ sum: 3 });
  vi.runAllTimers();
  expect(kept()).toEqual(before);
});

test('a script knows its own place', () => {
  write('two.cjs', "exports.two = [__dirname, __filename].join(' ');");
  expect(start()).toEqual({ sum: `${folder} ${join(folder, 'two.cjs')}1` });
});

test('a text with letters of every kind is the same where it was kept', () => {
  write('two.cjs', "exports.two = 'ä’😀 – \\u2028';");
  const fresh = start();
  vi.runAllTimers();
  expect(start()).toEqual(fresh);
  expect(fresh).toEqual({ sum: 'ä’😀 – \u20281' });
});

test('the cache of another text of the same length is not used', () => {
  start();
  vi.runAllTimers();
  write('two.cjs', 'exports.two = 7;');
  expect(start()).toEqual({ sum: 8 });
});

test('a cached script that cannot be used is compiled and cached again', () => {
  const text = 'exports.sum = 3; // a text that V8 has not compiled in this process';
  write('one.cjs', text);
  const torn = join(keepIn, `one.cjs-${process.versions.v8}`);
  mkdirSync(keepIn);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(text.length);
  writeFileSync(torn, Buffer.concat([head, Buffer.from(`${text}torn`)]));
  expect(start()).toEqual({ sum: 3 });
  vi.runAllTimers();
  expect(readFileSync(torn).length).toBeGreaterThan(2 * text.length + 100);
});

test('a folder that cannot be written is no error', () => {
  writeFileSync(keepIn, 'a file');
  expect(start()).toEqual({ sum: 3 });
  vi.runAllTimers();
});

test('a script that requires itself in a circle sees the exports so far', () => {
  write('two.cjs', "exports.two = 'sum' in require('./one.cjs') ? 1 : 2;");
  expect(start()).toEqual({ sum: 3 });
});

test('the cache of an old build is removed when there is something new to cache', () => {
  mkdirSync(keepIn);
  const [old, young] = [join(keepIn, 'old.cjs-0'), join(keepIn, 'young.cjs-0')];
  for (const path of [old, young]) writeFileSync(path, '');
  utimesSync(old, 0, 0);
  start();
  vi.runAllTimers();
  expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
});
