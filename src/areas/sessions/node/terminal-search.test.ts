import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { searchTerminals } from './terminal-search';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-terminals-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const terminal = (name: string) => ({
  runId: 1,
  runName: 'Build',
  name,
  outputPath: join(folder, `${name}.log`),
  openedAt: 5,
  closedAt: null,
  bytes: 0,
  evicted: 0,
});
const search = (text: string, names: readonly string[], limit = 50) =>
  searchTerminals({ recentTerminals: () => names.map(terminal) }, { text, limit });

test('a line is found by all of its words, without the colours that are between them', async () => {
  writeFileSync(join(folder, 'c1.log'), '\u001b[31mError\u001b[0m: no such file\r\nfile saved\r\n');
  const { hits, partial } = await search('ERROR file', ['c1', 'missing']);
  expect(hits).toEqual([
    { runId: 1, runName: 'Build', terminal: 'c1', openedAt: 5, excerpt: 'Error: no such file' },
  ]);
  expect(partial).toBe(false);
});

test('only the newest output is read, and the answer says so', async () => {
  writeFileSync(join(folder, 'c1.log'), 'needle in the first file\n');
  writeFileSync(join(folder, 'c1.log.4096'), `needle too early\n${'x\n'.repeat(200_000)}needle at the end\n`);
  const { hits, partial } = await search('needle', ['c1']);
  expect(hits.map(({ excerpt }) => excerpt)).toEqual(['needle at the end']);
  expect(partial).toBe(true);
});

test('a search without words finds nothing', async () => {
  expect(await search('  ', ['c1'])).toEqual({ hits: [], partial: false });
});
