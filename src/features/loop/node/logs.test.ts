import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { double } from '@contract/testing/double';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AttemptState, LoopState } from '../contract/state';
import { logName, readLog } from './logs';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'muster-logs-'));
  mkdirSync(join(cwd, 'logs'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const NAME = 'codex-iteration-1.jsonl';
const at = (from: number, bytes: number, endedAt: number | null = null) =>
  readLog({ cwd, folder: '.', name: NAME }, { from, bytes }, endedAt);

test('pages of a log join to the file, for any text and any size of page', async () => {
  const lines = fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(lines, fc.integer({ min: 8, max: 200 }), async (texts, bytes) => {
      const text = texts.join('\n');
      writeFileSync(join(cwd, 'logs', NAME), text);
      let [joined, from, size] = ['', 0, 1];
      while (from < size) {
        const page = await at(from, bytes);
        if (!page.ok) throw new Error(page.error.message);
        if (page.value.size > 0) expect(page.value.to).toBeGreaterThan(from);
        joined += page.value.text;
        ({ to: from, size } = page.value);
      }
      expect(joined).toBe(text);
    }),
  );
});

test('a missing log has no pages, and one that leads out is refused', async () => {
  expect(await at(0, 1024)).toEqual({
    ok: true,
    value: { path: null, text: '', from: 0, to: 0, size: 0, overwritten: false },
  });
  symlinkSync('/etc/hosts', join(cwd, 'logs', NAME));
  expect(await at(0, 1024)).toMatchObject({ ok: false, error: { code: 'not_found' } });
});

test('a page says that its file was written long after its attempt', async () => {
  writeFileSync(join(cwd, 'logs', NAME), 'x');
  utimesSync(join(cwd, 'logs', NAME), 200, 200);
  expect(await at(0, 1024, 100_000)).toMatchObject({ value: { overwritten: true } });
  expect(await at(0, 1024, 190_000)).toMatchObject({ value: { overwritten: false } });
  expect(await at(0, 1024, null)).toMatchObject({ value: { overwritten: false } });
});

test('the logs of a first try are found where they were put', () => {
  const attempt = (id: number, iteration: number, retry: number) =>
    double<AttemptState>({ id, iteration, retry });
  const [first, again, second] = [attempt(1, 1, 0), attempt(2, 1, 1), attempt(3, 2, 0)];
  const attempts = [first, again, second];
  const loop = double<LoopState>({ attempts, watch: null });
  const watch = { pid: null, seen: null, past: null, before: null, ended: null };
  expect(logName(double<LoopState>({ attempts, watch }), first, 'jsonl')).toBe('codex-iteration-1.jsonl');
  expect(attempts.map((one) => logName(loop, one, 'message'))).toEqual([
    'codex-iteration-1-attempt-1-last-message.txt',
    'codex-iteration-1-last-message.txt',
    'codex-iteration-2-last-message.txt',
  ]);
});
