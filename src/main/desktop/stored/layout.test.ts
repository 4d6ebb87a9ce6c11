import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Layout } from './layout';

let folder: string;
const path = () => join(folder, 'deep', 'layout.json');
const open = () => new Layout(path(), (aside) => void asides.push(aside));
let asides: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-layout-'));
  asides = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a layout is kept, for the user alone, and without leftovers', async () => {
  const layout = open();
  const all = await Promise.all([
    layout.set('a', 1),
    layout.set('b', { x: [true, 'y'] }),
    layout.set('a', 2),
    layout.set('c', 3),
  ]);
  expect(all.every((one) => one.ok)).toBe(true);
  await layout.set('c', null);
  expect(open().get()).toEqual({ a: 2, b: { x: [true, 'y'] } });
  if (process.platform !== 'win32') expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, 'deep'))).toEqual(['layout.json']);
});

test('a layout that is too large or has too many keys is refused, and the old one stays', async () => {
  const layout = open();
  await layout.set('a', 1);
  expect(await layout.set('big', 'x'.repeat(600_000))).toMatchObject({
    ok: false,
    error: { code: 'input.invalid' },
  });
  for (let key = 0; key < 499; key += 1) expect((await layout.set(`k${key}`, key)).ok).toBe(true);
  expect((await layout.set('one more', 1)).ok).toBe(false);
  expect((await layout.set('a', 2)).ok).toBe(true);
  expect(Object.keys(open().get())).toHaveLength(500);
});

test('a damaged file is set aside and reported', async () => {
  await open().set('a', 1);
  writeFileSync(path(), '{"a": 1');
  const layout = open();
  expect(layout.get()).toEqual({});
  expect(asides).toHaveLength(1);
  expect(readFileSync(asides[0] ?? '', 'utf8')).toBe('{"a": 1');
});
