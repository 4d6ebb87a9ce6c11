import type { GateRow } from '@areas/gates/contract/procedures';
import type { RunRow } from '@contract/run/procedures';
import { type Settings, settingsSchema } from '@contract/system/procedures';
import { beforeEach, expect, test } from 'vitest';
import { runRow } from '../../api/testing/run-row';
import { Attention, type Notice } from './attention';

let told: Pick<Notice, 'title' | 'body' | 'place'>[];
let whole: Notice[];
let counts: number[];
let watched: boolean;
let now: number;
let settings: Settings;
let attention: Attention;

const gate = (gateId: number, status: GateRow['status'] = 'open'): GateRow => ({
  runId: 1,
  runName: 'Release',
  gateId,
  kind: 'approval',
  status,
  stepId: 's',
  stepTitle: null,
  agent: null,
  sessionId: null,
  title: `Approve ${gateId}?`,
  message: '',
  evidence: null,
  request: null,
  options: [],
  why: null,
  openedAt: 1,
  closedAt: null,
  answer: null,
  by: null,
  snoozedUntil: null,
});
const run = (id: number, outcome: RunRow['outcome'], reason: string | null = null): RunRow =>
  runRow({ id, uid: `U${id}`, name: 'Release', outcome, reason, steps: 2, stepsDone: 2 });
const gates = (...rows: GateRow[]) => attention.pushed({ topic: 'gates', rows });
const runs = (...rows: RunRow[]) => attention.pushed({ topic: 'runs', rows });

beforeEach(() => {
  told = [];
  whole = [];
  counts = [];
  watched = false;
  now = 1000;
  settings = settingsSchema.parse({});
  attention = new Attention({
    settings: () => settings,
    watched: () => watched,
    now: () => now,
    notify(notice) {
      const { title, body, place } = notice;
      told.push({ title, body, place });
      whole.push(notice);
    },
    waiting: (count) => void counts.push(count),
  });
});

test('a new gate is told once, with its place, and counted until it is closed', () => {
  attention.begin([gate(1)], []);
  gates(gate(1), gate(2));
  gates(gate(2));
  gates(gate(1, 'resolved'), gate(2, 'withdrawn'));
  expect(told).toEqual([{ title: 'Approve 2?', body: 's · Release', place: '/gate/1/2' }]);
  expect(counts).toEqual([1, 2, 2, 0]);
});

test('many notices at once are one', () => {
  gates(gate(1), gate(2), gate(3), gate(4));
  expect(told).toEqual([
    { title: '4 questions wait for you', body: 'Approve 1? and 3 more', place: '/inbox' },
  ]);
});

test('a failed run is notified with its reason, a finished one only on request', () => {
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

test('an operator who looks at the window, or wants no notices, is not notified', () => {
  watched = true;
  gates(gate(1));
  watched = false;
  gates(gate(1));
  settings = { ...settings, notifyGates: false };
  gates(gate(2));
  expect(told).toEqual([]);
  expect(counts.at(-1)).toBe(2);
});

test('a gate that a rule answered in the same commit is neither notified nor counted', () => {
  attention.begin([], []);
  attention.pushed({ topic: 'gates', rows: [{ ...gate(1, 'resolved'), kind: 'permission', by: 'rule R' }] });
  expect([told, counts.at(-1)]).toEqual([[], 0]);
});

test('gates that a core opened when it came up again are notified and counted, whichever comes first', () => {
  attention.restart();
  attention.begin([gate(1)], [run(1, null), run(2, null)]);
  attention.restart();
  gates(gate(2));
  runs(run(1, 'failed', 'Cut off.'));
  // The answer was made before.
  attention.begin([gate(1)], [run(1, null), run(2, null)]);
  expect(counts.at(-1)).toBe(2);
  attention.restart();
  attention.begin([gate(1), gate(2), gate(3)], [run(1, 'failed'), run(2, 'failed'), run(9, 'failed')]);
  gates(gate(3));
  runs(run(2, 'failed'));
  expect(told.map(({ place }) => place)).toEqual(['/gate/1/2', '/run/U1', '/gate/1/3', '/run/U2']);
  expect(counts.at(-1)).toBe(3);
  attention.restart();
  attention.begin([gate(3)], []);
  expect(counts.at(-1)).toBe(1);
});

const reply = (member: string | null, round = 1) => ({
  runId: 3,
  runName: 'Writers',
  projectName: 'p',
  activationId: 1,
  member,
  round,
  since: 1,
  lastWords: 'The draft is done.',
});
const besides = (...members: (string | null)[]) => ({
  replies: members.map((name) => reply(name)),
  failures: [],
  pulls: [],
  waits: [],
});
const listed = (...members: (string | null)[]) =>
  attention.pushed({ topic: 'attention', besides: besides(...members) });

test('members who wait for a reply are counted with the gates, and each round is told once', () => {
  attention.begin([gate(1)], [], besides('ana'));
  expect([told, counts.at(-1)]).toEqual([[], 2]);
  listed('ana', 'ben');
  listed('ana', 'ben');
  expect(told).toEqual([
    { title: 'ben delivered round 1', body: 'The draft is done.', place: '/inbox/reply/3/1/ben/1' },
  ]);
  expect(counts.at(-1)).toBe(3);
  listed();
  expect(counts.at(-1)).toBe(1);
});

test('a change of a pull request is counted and told once, with the place that shows it', () => {
  const pull = {
    ...{
      runId: 3,
      runName: 'Till',
      projectName: 'p',
      key: 'checks a/b 1 unit',
      kind: 'check_failed' as const,
    },
    ...{ number: 7, url: null, title: 'The till rounds', what: 'Failed: unit', at: 1 },
  };
  attention.begin([], [], besides());
  for (const _ of [1, 2]) attention.pushed({ topic: 'attention', besides: { ...besides(), pulls: [pull] } });
  expect(told).toEqual([
    { title: '#7: Failed: unit', body: 'The till rounds', place: '/inbox/pull/3/checks%20a%2Fb%201%20unit' },
  ]);
  expect(counts.at(-1)).toBe(1);
  listed();
  expect(counts.at(-1)).toBe(0);
});

test('failures that were not seen are counted, and news that came during a query is newer than its answer', () => {
  const failure = { runId: 4, runName: 'r', projectName: null, at: 1, reason: null };
  attention.restart();
  attention.pushed({ topic: 'attention', besides: { ...besides(), failures: [failure] } });
  attention.begin([], [], besides('ana'));
  expect(counts.at(-1)).toBe(1);
});

test('a gate that is put off is not counted, and notified again when it is back', () => {
  const off = { ...gate(1), snoozedUntil: 5000 };
  attention.begin([gate(1), gate(2)], []);
  gates(off);
  expect(counts.at(-1)).toBe(1);
  now = 4999;
  attention.look();
  expect(told).toEqual([]);
  now = 5000;
  attention.look();
  attention.look();
  gates(off);
  expect(told.map(({ title }) => title)).toEqual(['Approve 1?']);
  expect(counts.at(-1)).toBe(2);
});

test('a gate that the operator takes back, or answers, before its time is not notified again', () => {
  attention.begin(
    [
      { ...gate(1), snoozedUntil: 5000 },
      { ...gate(2), snoozedUntil: 5000 },
    ],
    [],
  );
  expect(counts.at(-1)).toBe(0);
  gates(gate(1), gate(2, 'resolved'));
  now = 6000;
  attention.look();
  expect([told, counts.at(-1)]).toEqual([[], 1]);
});

test('a core that does not answer is reported after a minute, and not when it was only busy', () => {
  const core = { state: 'running' as const, since: 1, detail: null, pid: 1, restarts: 0, unsteady: null };
  const silent = { ...core, detail: 'It has not answered for more than 10 s.' };
  const store = { state: 'ok' as const, since: 1, detail: null, path: '/db', bytes: 1, freeBytes: 0 };
  const ptyHost = { state: 'running' as const, since: 1, detail: null, unsteady: null };
  attention.status({ core: silent, store, ptyHost });
  now += 30_000;
  attention.look();
  attention.status({ core, store, ptyHost });
  now += 30_000;
  attention.look();
  expect(told).toEqual([]);
  attention.status({ core: silent, store, ptyHost });
  now += 60_000;
  attention.look();
  attention.look();
  expect(told.map(({ title, body }) => [title, body])).toEqual([
    ['The core does not answer', 'Runs wait until it does. It has not answered for more than 10 s.'],
  ]);
});

test('the end of all work is notified once, and again when it happens again', () => {
  const well = { state: 'running' as const, since: 1, detail: null, pid: 1, restarts: 0, unsteady: null };
  const store = { state: 'ok' as const, since: 1, detail: null, path: '/db', bytes: 1, freeBytes: 0 };
  const ptyHost = { state: 'running' as const, since: 1, detail: null, unsteady: null };
  const failed = { ...well, state: 'failed' as const, detail: 'It crashed (signal 9).' };
  attention.status({ core: well, store, ptyHost });
  attention.status({ core: failed, store, ptyHost });
  attention.status({ core: failed, store, ptyHost });
  expect(told).toEqual([
    {
      title: 'The core does not start',
      body: 'Runs wait until it runs. It crashed (signal 9).',
      place: '/settings/system',
    },
  ]);
  attention.status({
    core: well,
    store: { ...store, state: 'failing', detail: 'The disk is full.' },
    ptyHost,
  });
  attention.status({ core: failed, store, ptyHost: { ...ptyHost, state: 'failed' } });
  expect(told.slice(1).map(({ title }) => title)).toEqual([
    'The store is failing',
    'The core does not start',
    'Terminals do not start',
  ]);
  settings = { ...settings, notifyFailures: false };
  attention.status({ core: well, store, ptyHost });
  attention.status({ core: failed, store, ptyHost });
  expect(told).toHaveLength(4);
});

test('a process that ends again and again is reported once, and that it is stable again', () => {
  const core = { state: 'running' as const, since: 1, detail: null, pid: 1, restarts: 3, unsteady: null };
  const store = { state: 'ok' as const, since: 1, detail: null, path: '/db', bytes: 1, freeBytes: 0 };
  const ptyHost = { state: 'running' as const, since: 1, detail: null, unsteady: null };
  const since = new Date(2026, 0, 5, 14, 2).getTime();
  const unsteady = { times: 3, since, last: 'It crashed (signal 9).' };
  attention.status({ core, store, ptyHost });
  attention.status({ core: { ...core, unsteady }, store, ptyHost });
  attention.status({ core: { ...core, unsteady: { ...unsteady, times: 4 } }, store, ptyHost });
  const from = new Date(since).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  expect(told).toEqual([
    {
      title: 'The core keeps crashing',
      body: `It restarts each time. It ended 3 times since ${from}, the last time: it crashed (signal 9).`,
      place: '/settings/system',
    },
  ]);
  attention.status({ core, store, ptyHost: { ...ptyHost, unsteady } });
  attention.status({ core, store, ptyHost });
  expect(told.slice(1).map(({ title }) => title)).toEqual([
    'The core is stable again',
    'The terminal process keeps crashing',
    'The terminal process is stable again',
  ]);
});

test('a gate that still waits after the set time is notified once more, and not one that was answered or snoozed', () => {
  settings = { ...settings, remindMinutes: 30 };
  attention.begin([], []);
  gates(gate(1), gate(2), gate(3));
  const minutes = (passed: number) => {
    now += passed * 60_000;
    attention.look();
  };
  minutes(29);
  expect(told).toHaveLength(3);
  gates(gate(2, 'resolved'), { ...gate(3), snoozedUntil: now + 86_400_000 });
  minutes(1);
  expect(told.slice(3)).toEqual([
    { title: 'Still waiting: Approve 1?', body: 'For 30 min and longer', place: '/gate/1/1' },
  ]);
  expect(whole.at(-1)).toMatchObject({ kind: 'needs you', isReminder: true });
  minutes(300);
  expect(told).toHaveLength(4);
});

test('a reminder waits while the operator looks at the window, and never comes where it is switched off', () => {
  attention.begin([], []);
  gates(gate(1), gate(2));
  watched = true;
  now += 3_600_000;
  attention.look();
  expect(told).toHaveLength(2);
  watched = false;
  settings = { ...settings, remindMinutes: 0 };
  attention.look();
  expect(told).toHaveLength(2);
  settings = { ...settings, remindMinutes: 5 };
  attention.look();
  expect(told.at(-1)).toMatchObject({ title: '2 things still wait for you', place: '/inbox' });
});

test('each kind of notice offers only safe actions: nothing is approved from a notification', () => {
  settings = { ...settings, notifyFinished: true };
  attention.begin([], [run(1, null), run(2, null)]);
  gates(gate(1));
  runs(run(1, 'failed'), run(2, 'succeeded'));
  expect(whole.map(({ kind, acts = [] }) => [kind, acts.map(({ procedure }) => procedure)])).toEqual([
    ['needs you', ['gate.snooze']],
    ['failed', ['attention.markSeen']],
    ['finished', []],
  ]);
});
