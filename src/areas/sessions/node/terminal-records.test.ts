import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notesPath } from '@areas/terminals/contract/files';
import type { TerminalChange, TerminalRecord } from '@main/core/ports/store/terminals';
import { afterEach, expect, test } from 'vitest';
import { TerminalRecords } from './terminal-records';

const root = mkdtempSync(join(tmpdir(), 'muster-records-'));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

function records(droppable: readonly TerminalRecord[], limit: number, open: string[] = []) {
  const noted: TerminalChange[] = [];
  const notices: string[] = [];
  const kept = new Map<string, string>();
  const made = new TerminalRecords({
    store: {
      noteTerminal: (change) => void noted.push(change),
      closeTerminals: () => undefined,
      terminalBytes: () => droppable.reduce((sum, one) => sum + one.bytes - one.evicted, 0),
      droppableTerminals: () => [...droppable],
    },
    now: () => 7,
    logger: silent,
    artifactsRoot: root,
    limit: () => limit,
    openOutputs: () => new Set(open),
    notice: (text, id) => {
      notices.push(text);
      kept.set(id, text);
    },
  });
  return { made, noted, notices, kept };
}

function terminal(name: string, pieces: readonly number[]): TerminalRecord {
  const outputPath = join(root, '01UID', 'commands', `${name}.log`);
  mkdirSync(join(root, '01UID', 'commands'), { recursive: true });
  let end = 0;
  for (const bytes of pieces) {
    writeFileSync(end === 0 ? outputPath : `${outputPath}.${end}`, Buffer.alloc(bytes));
    end += bytes;
  }
  return { runId: 1, name, outputPath, openedAt: 1, bytes: end, evicted: 0 };
}

test('a terminal is identified by the file of its output', () => {
  const { made, noted } = records([], 100);
  const outputPath = join(root, '01UID', 'terminals', 's1-0.log');
  made.opened(outputPath);
  made.opened(join(root, 'stray.log'));
  made.printed(outputPath, 5);
  expect(noted).toEqual([
    { kind: 'opened', outputPath, uid: '01UID', name: 's1-0', at: 7 },
    { kind: 'printed', outputPath, bytes: 5 },
  ]);
});

test('terminals that lose their oldest output are one notice, which counts them and names no file', () => {
  const { made, kept } = records([], 100);
  for (const name of ['c1', 'c1', 'c2']) made.evicted(join(root, '01UID', 'commands', `${name}.log`), 5);
  expect([...kept.values()]).toEqual([
    'The output of 2 terminals exceeded the limit: the oldest part is being dropped. See Settings, Terminals.',
  ]);
});

test('the oldest output is dropped until the rest fits, and open terminals stay', () => {
  const all = [terminal('c1', [100, 50]), terminal('c2', [100]), terminal('c3', [100])];
  const [first, second, third] = all.map(({ outputPath }) => outputPath) as [string, string, string];
  const { made, noted, notices } = records(all, 150, [second]);
  expect(made.look()).toBe(2);
  expect(noted).toEqual([
    { kind: 'evicted', outputPath: first, before: 150 },
    { kind: 'evicted', outputPath: third, before: 100 },
  ]);
  expect([first, second, third].map((path) => statSync(path).size)).toEqual([0, 100, 0]);
  expect(existsSync(`${first}.100`)).toBe(false);
  expect(statSync(`${first}.150`).size).toBe(0);
  expect(JSON.parse(readFileSync(notesPath(first), 'utf8'))).toEqual({
    kind: 'evicted',
    at: 7,
    offset: 150,
    by: 'folder',
  });
  expect(notices).toHaveLength(1);
});

test('nothing is dropped while all output fits', () => {
  const { made, noted } = records([terminal('c1', [100])], 100);
  expect(made.look()).toBe(0);
  expect(noted).toEqual([]);
});
