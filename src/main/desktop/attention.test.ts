import type { GateRow } from '@contract/gate/procedures';
import type { RunRow } from '@contract/run/procedures';
import { type Settings, settingsSchema } from '@contract/system/procedures';
import { beforeEach, expect, test } from 'vitest';
import { Attention, type Notice } from './attention';

let told: Notice[];
let counts: number[];
let watched: boolean;
let settings: Settings;
let attention: Attention;

const gate = (gateId: number, status: GateRow['status'] = 'open'): GateRow => ({
  ...{
    runId: 1,
    runName: 'Release',
    gateId,
    kind: 'approval',
    status,
    stepId: 's',
    stepTitle: null,
    agent: null,
    sessionId: null,
  },
  ...{ title: `Approve ${gateId}?`, message: '', evidence: null, request: null, options: [], why: null },
  ...{ openedAt: 1, closedAt: null, answer: null, by: null, snoozedUntil: null },
});
const run = (id: number, outcome: RunRow['outcome'], reason: string | null = null): RunRow => ({
  ...{
    id,
    uid: `U${id}`,
    name: 'Release',
    projectId: 1,
    projectName: 'p',
    status: 'running',
    outcome,
    reason,
  },
  ...{
    startedAt: 1,
    finishedAt: null,
    at: 1,
    steps: 2,
    stepsDone: 2,
    openGates: 0,
    now: null,
    tokens: 0,
    costUsd: 0,
  },
  ...{ binnedAt: null, bytes: null },
});
const gates = (...rows: GateRow[]) => attention.pushed({ topic: 'gates', rows });
const runs = (...rows: RunRow[]) => attention.pushed({ topic: 'runs', rows });

beforeEach(() => {
  told = [];
  counts = [];
  watched = false;
  settings = settingsSchema.parse({});
  attention = new Attention({
    settings: () => settings,
    watched: () => watched,
    notify: (notice) => void told.push(notice),
    waiting: (count) => void counts.push(count),
  });
});

test('a new gate is told once, with its place, and counted until it is closed', () => {
  attention.begin([gate(1)], []);
  gates(gate(1), gate(2));
  gates(gate(2));
  gates(gate(1, 'resolved'), gate(2, 'withdrawn'));
  expect(told).toEqual([{ title: 'Approve 2?', body: 'Release', place: '/gate/1/2' }]);
  expect(counts).toEqual([1, 2, 2, 0]);
});

test('many at once are one notice', () => {
  gates(gate(1), gate(2), gate(3), gate(4));
  expect(told).toEqual([{ title: '4 gates wait for you', body: 'Approve 1? and 3 more', place: '/inbox' }]);
});

test('a failed run is told with its reason, a finished one only where that is wished', () => {
  attention.begin([], [run(1, 'failed')]);
  runs(run(1, 'failed'), run(2, null), run(3, 'succeeded'));
  runs(run(2, 'failed', 'The agent crashed.'));
  runs(run(2, 'failed', 'The agent crashed.'));
  expect(told).toEqual([{ title: 'Release: failed', body: 'The agent crashed.', place: '/run/U2' }]);
  settings = { ...settings, notifyFinished: true, notifyFailures: false };
  runs(run(4, 'succeeded'), run(5, 'failed'));
  expect(told.slice(1)).toEqual([
    { title: 'Release: succeeded', body: '2 of 2 steps are done.', place: '/run/U4' },
  ]);
});

test('who looks at the window is not told, nor who does not want it', () => {
  watched = true;
  gates(gate(1));
  watched = false;
  gates(gate(1));
  settings = { ...settings, notifyGates: false };
  gates(gate(2));
  expect(told).toEqual([]);
  expect(counts.at(-1)).toBe(2);
});

test('a gate that a rule answered in the same commit is neither told nor counted', () => {
  attention.begin([], []);
  attention.pushed({ topic: 'gates', rows: [{ ...gate(1, 'resolved'), kind: 'permission', by: 'rule R' }] });
  expect([told, counts.at(-1)]).toEqual([[], 0]);
});
