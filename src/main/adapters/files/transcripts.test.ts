import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TranscriptItem } from '@areas/sessions/contract/session';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createTranscripts } from './transcripts';

let run: { artifactsDir: string };
beforeEach(() => {
  run = { artifactsDir: mkdtempSync(join(tmpdir(), 'muster-logs-')) };
  onTestFinished(() => rmSync(run.artifactsDir, { recursive: true, force: true }));
});

const said = (text: string): TranscriptItem => ({ type: 'text', text });

/** Number of this run's logs that this process has open. */
const open = (): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(run.artifactsDir);
    } catch {
      return false;
    }
  }).length;

test.runIf(process.platform === 'linux')('only the transcripts that were written last stay open', () => {
  const logs = createTranscripts(() => 1, { mostOpen: 3 });
  for (let sessionId = 1; sessionId <= 9; sessionId += 1)
    logs.append(run, { sessionId, turnId: 1, items: [said(`first of ${sessionId}`)] });
  expect(open()).toBe(3);
  // A closed log is opened again, and its earlier lines stay.
  logs.append(run, { sessionId: 1, turnId: 1, items: [said('second of 1')] });
  expect(open()).toBe(3);
  expect(logs.turn(run, { sessionId: 1, turnId: 1 })).toEqual([said('first of 1'), said('second of 1')]);
  expect(logs.lines(run, { sessionId: 9, limit: 5 })).toMatchObject([
    { turnId: 1, item: said('first of 9') },
  ]);
  logs.release(run.artifactsDir);
  expect(open()).toBe(0);
});

test('a transcript that cannot be written is reported once until writing works again', () => {
  const logs = createTranscripts(() => 1);
  const told: string[] = [];
  logs.onTrouble((path) => told.push(path));
  const append = (text: string): void => logs.append(run, { sessionId: 1, turnId: 1, items: [said(text)] });
  // A folder in place of a file, and a file in place of a folder.
  const folder = join(run.artifactsDir, 'sessions');
  writeFileSync(folder, '');
  append('lost');
  append('lost too');
  expect(told).toEqual([join(folder, 's1.jsonl')]);
  rmSync(folder);
  append('kept');
  expect(logs.turn(run, { sessionId: 1, turnId: 1 })).toEqual([said('kept')]);
  logs.release(run.artifactsDir);
  rmSync(folder, { recursive: true });
  mkdirSync(join(folder, 's1.jsonl'), { recursive: true });
  append('lost again');
  expect(told).toHaveLength(2);
});

test('of a long transcript the end is read, from the beginning of a line', () => {
  const logs = createTranscripts(() => 1, { mostBytes: 200 });
  for (let n = 1; n <= 50; n += 1) logs.append(run, { sessionId: 1, turnId: 1, items: [said(`wörd ${n}`)] });
  const items = logs.turn(run, { sessionId: 1, turnId: 1 });
  expect(items.length).toBeGreaterThan(1);
  expect(items.length).toBeLessThan(5);
  expect(items.at(-1)).toEqual(said('wörd 50'));
  expect(items[0]).toEqual(said(`wörd ${51 - items.length}`));
  logs.release(run.artifactsDir);
});

test('a turn that floods its transcript is cut off with a mark, and the next turn is kept again', () => {
  const logs = createTranscripts(() => 1, { mostOfTurn: 1024 * 1024 });
  const flood = said('x'.repeat(100 * 1024));
  for (let count = 0; count < 30; count += 1) logs.append(run, { sessionId: 1, turnId: 1, items: [flood] });
  const kept = logs.turn(run, { sessionId: 1, turnId: 1 });
  expect(kept).toHaveLength(11);
  expect(kept.at(-1)).toEqual({
    type: 'notice',
    text: 'This turn has written more than 1 MB. The rest of its transcript is not saved.',
  });
  logs.append(run, { sessionId: 1, turnId: 2, items: [said('next')] });
  expect(logs.turn(run, { sessionId: 1, turnId: 2 })).toEqual([said('next')]);
});

test('without other settings a turn keeps about 32 MB on disk', () => {
  const logs = createTranscripts(() => 1);
  const flood = said('x'.repeat(1024 * 1024));
  for (let count = 0; count < 40; count += 1) logs.append(run, { sessionId: 1, turnId: 1, items: [flood] });
  logs.release(run.artifactsDir);
  const files = readdirSync(run.artifactsDir, { recursive: true, withFileTypes: true });
  const bytes = files
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  expect(bytes).toBeGreaterThan(30 * 1024 * 1024);
  expect(bytes).toBeLessThan(34 * 1024 * 1024);
});
