import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Spend } from '../contract/procedures';
import { exportSpend } from './spend-export';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-spend-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const amounts = { turns: 1, ms: null, tokens: 10, costUsd: 0.5, tokensUnreported: 0, costUnreported: 0 };
const row = {
  key: '1',
  label: 'p',
  detail: null,
  runId: null,
  projectId: 1,
  file: null,
  accepted: null,
  budget: null,
  ...amounts,
};
const spend: Spend = { rows: [row], more: false, totals: amounts, pieces: null };
const query = { by: 'project', from: 0, before: null, projectId: null, limit: 10 } as const;

test('the table is written as a new file, and a file that is there is left as it is', async () => {
  const path = join(folder, 'new', 'spend.csv');
  const store = { spend: () => spend };
  expect(await exportSpend(store, { ...query, path })).toEqual({ ok: true, value: { path, rows: 1 } });
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('p,,1,,10,0,0.5,0,,,\r\n');
  const again = await exportSpend({ spend: () => ({ ...spend, rows: [] }) }, { ...query, path });
  expect(again).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(readFileSync(path, 'utf8')).toBe(text);
});
