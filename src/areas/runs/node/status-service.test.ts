import { keyText } from '@contract/run/keys';
import type { PromptState, RunState } from '@contract/run/state';
import { double, type Parts } from '@contract/testing/double';
import type { LiveRun } from '@main/core/engine/base/live-run';
import type { Engine } from '@main/core/engine/engine';
import type { Store } from '@main/core/ports/store/store';
import { expect, test } from 'vitest';
import { StatusService } from './status-service';

const NOW = 1_700_000_000_000;

const timer = (id: number, purpose: string, more: { dueAt: number; fired?: boolean }) => ({
  [id]: { id, activationId: 1, purpose, watches: null, fired: false, heardAt: null, ...more },
});

type Stands = Parts<RunState>;
const EMPTY: Stands = {
  name: 'run',
  projectId: 1,
  activations: {},
  timers: {},
  turns: {},
  prompts: {},
  sessions: {},
  gates: {},
  teams: {},
  loops: {},
  rlm: {},
};

function serviceOf(...states: Stands[]) {
  const engine = double<Engine>({
    all: () =>
      states.map((state, index) =>
        double<LiveRun>({
          runId: index + 1,
          state: double<RunState>({ status: 'running', ...EMPTY, ...state }),
          sessions: new Map(),
          commands: new Map(),
        }),
      ),
  });
  const store = double<Store>({
    notices: [],
    setting: () => undefined,
    path: '/db',
    health: () => ({ state: 'ok', since: NOW, detail: null }),
    databaseBytes: () => 1,
    freeBytes: () => 0,
    spendTotals: () => ({
      turns: 0,
      ms: null,
      tokens: null,
      costUsd: null,
      tokensUnreported: 0,
      costUnreported: 0,
    }),
  });
  const clock = { now: () => NOW, at: () => () => undefined };
  return new StatusService({ engine, store, clock, pid: 1 });
}
const statusOf = (...states: Stands[]) => serviceOf(...states).status();
const liveOf = (...states: Stands[]) => statusOf(...states).live;

test('the next event by itself is the earliest turn that is sent again after a limit, of all runs', () => {
  expect(liveOf({}).limitEndsAt).toBeNull();
  const waits = {
    timers: {
      ...timer(1, keyText(['turn.limit', 4]), { dueAt: NOW + 9 }),
      ...timer(2, keyText(['team.idle', 'm', 1]), { dueAt: NOW + 1 }),
    },
  };
  expect(
    liveOf(waits, { timers: timer(1, keyText(['turn.limit', 2]), { dueAt: NOW + 5 }) }).limitEndsAt,
  ).toBe(NOW + 5);
});

test('a turn that was sent again already, whose time has come, or which will not come is not listed', () => {
  const timers = timer(1, keyText(['turn.limit', 4]), { dueAt: NOW + 9 });
  expect(liveOf({ timers, turns: { 5: { id: 5, resendOf: 4 } } }).limitEndsAt).toBeNull();
  expect(
    liveOf({ timers: timer(1, keyText(['turn.limit', 4]), { dueAt: NOW - 1, fired: true }) }).limitEndsAt,
  ).toBeNull();
  expect(liveOf({ timers, status: 'cancelling' }).limitEndsAt).toBeNull();
});

test('a prompt that was withdrawn while it waited is not the next one', () => {
  const timers = timer(1, keyText(['turn.limit', 4]), { dueAt: NOW + 9 });
  const turns = { 4: { id: 4, promptId: 2, resendOf: null } };
  const prompt = (status: PromptState['status']): Stands => ({
    timers,
    turns,
    prompts: { 2: { id: 2, status, turnId: 4 } },
  });
  expect(statusOf(prompt('sent')).next).toMatchObject({ at: NOW + 9 });
  expect(statusOf(prompt('withdrawn')).next).toBeNull();
});

const BACKUP: Store['notices'] = [{ id: 'backup', level: 'info', text: 'A backup was taken.' }];

/** Only the parts used here. */
function service(settings = new Map<string, unknown>(), notices: Store['notices'] = BACKUP) {
  const store = double<Store>({
    setting: (key: string) => settings.get(key),
    setSetting: (key: string, value: unknown) => void settings.set(key, value),
    path: '/db',
    notices,
    health: () => ({ state: 'ok', since: 0, detail: null }),
    spendTotals: () => ({
      turns: 0,
      ms: null,
      tokens: null,
      costUsd: null,
      tokensUnreported: 0,
      costUnreported: 0,
    }),
    databaseBytes: () => 0,
    freeBytes: () => 0,
  });
  const engine = double<Engine>({ all: () => [] });
  const clock = { now: () => 0, at: () => () => undefined };
  const status = new StatusService({ engine, store, clock, pid: 1 });
  const said = (): string[] => status.status().notices.map(({ text }) => text);
  return { status, said };
}

test('a notice with the same id replaces the earlier one, and does not pile up', () => {
  const { status, said } = service();
  for (const text of ['first', 'second', 'third']) status.notice({ id: 'target', level: 'warning', text });
  expect(said()).toEqual(['A backup was taken.', 'third']);
});

test('a dismissed notice stays away until it says something else, and one that no longer holds goes', () => {
  const { status, said } = service();
  status.notice({ id: 'target', level: 'warning', text: 'first' });
  status.dismiss('target');
  status.dismiss('backup');
  status.notice({ id: 'target', level: 'warning', text: 'first' });
  expect(said()).toEqual([]);
  status.notice({ id: 'target', level: 'warning', text: 'second' });
  expect(said()).toEqual(['second']);
  status.withdraw('target');
  expect(said()).toEqual([]);
});

test('a notice is withdrawn where it is no longer true, and the list never grows without end', () => {
  const { status, said } = service();
  status.notice({ id: 'away', level: 'warning', text: 'away' });
  expect([status.withdraw('away'), status.withdraw('away')]).toEqual([true, false]);
  for (let index = 0; index < 500; index += 1)
    status.notice({ id: `terminal ${index}`, level: 'warning', text: `${index}` });
  expect(said().length).toBeLessThan(30);
  expect(said().at(-1)).toBe('499');
});

const DAMAGED = { id: 'damaged', level: 'error', text: 'The database was set aside.' } as const;

test('a notice of a database that was set aside is there in later processes until it is dismissed', () => {
  const settings = new Map<string, unknown>();
  service(settings, [DAMAGED]);
  expect(service(settings, []).said()).toEqual([DAMAGED.text]);
  const third = service(settings, []);
  third.status.dismiss(DAMAGED.id);
  expect(third.said()).toEqual([]);
  expect(service(settings, []).said()).toEqual([]);
});

test('a kept notice is shown once, and goes when it stops being true', () => {
  const settings = new Map<string, unknown>();
  const first = service(settings, [DAMAGED]);
  expect(first.said()).toEqual([DAMAGED.text]);
  first.status.keep({ id: 'run', level: 'error', text: 'Run 1 cannot be read.' });
  const second = service(settings, []);
  expect(second.said()).toEqual([DAMAGED.text, 'Run 1 cannot be read.']);
  expect(second.status.withdraw('run')).toBe(true);
  expect(service(settings, []).said()).toEqual([DAMAGED.text]);
});

test('the next parking is that of a member that waits, not of one that has stopped', () => {
  const timers = timer(1, keyText(['team.idle', 'ana', 1]), { dueAt: NOW + 9 });
  const ana = { name: 'ana', rounds: [{ round: 1 }], stopped: null, failed: null, merged: null };
  const next = (member: object) => statusOf({ timers, teams: { 1: { members: { ana: member } } } }).next;
  expect(next(ana)?.what).toContain('ana is parked unless round 1 is answered');
  expect(next({ ...ana, stopped: { reason: 'r', at: 1, frozen: null } })).toBeNull();
  expect(next({ ...ana, rounds: [{ round: 1 }, { round: 2 }] })).toBeNull();
});

test('the list of what goes on by itself has limits and retries, and no parking of members', () => {
  const member = { S1: { name: 'S1', rounds: [{ round: 2 }] } };
  const teams = { 1: { members: member } };
  const parks = { teams, timers: timer(1, keyText(['team.idle', 'S1', 2]), { dueAt: NOW + 1 }) };
  const retries = { activations: { 1: { retryTimer: 1 } }, timers: timer(1, 'retry 1', { dueAt: NOW + 5 }) };
  const limit = { timers: timer(1, keyText(['turn.limit', 4]), { dueAt: NOW + 9 }) };
  const listed = serviceOf(parks, retries, limit).waits();
  expect(listed.map(({ at }) => at - NOW)).toEqual([5, 9]);
});
