import { expect, test } from 'vitest';
import { type StatusParts, StatusService } from './status-service';

const NOW = 1_700_000_000_000;

const timer = (id: number, purpose: string, more: { dueAt: number; fired?: boolean }) => ({
  [id]: { id, activationId: 1, purpose, watches: null, fired: false, heardAt: null, ...more },
});

function liveOf(...states: { status?: string; timers?: object; turns?: object }[]) {
  const engine = {
    all: () =>
      states.map((state, index) => ({
        runId: index + 1,
        state: { status: 'running', timers: {}, turns: {}, sessions: {}, gates: {}, ...state },
        sessions: new Map(),
        commands: new Map(),
      })),
  };
  const store = {
    notices: [],
    path: '/db',
    health: () => ({ state: 'ok', since: NOW, detail: null }),
    databaseBytes: () => 1,
    spendSince: () => ({ tokens: 0, costUsd: 0, untoldTurns: 0 }),
  };
  const parts = { engine, store, clock: { now: () => NOW, at: () => () => undefined }, pid: 1 };
  return new StatusService(parts as unknown as StatusParts).status().live;
}

test('when the next turn is sent again that waits for a limit, of all runs', () => {
  expect(liveOf({}).limitEndsAt).toBeNull();
  const waits = {
    timers: { ...timer(1, 'limit:4', { dueAt: NOW + 9 }), ...timer(2, 'idle m', { dueAt: NOW + 1 }) },
  };
  expect(liveOf(waits, { timers: timer(1, 'limit:2', { dueAt: NOW + 5 }) }).limitEndsAt).toBe(NOW + 5);
});

test('not what was sent again already, has come, or will not come any more', () => {
  const timers = timer(1, 'limit:4', { dueAt: NOW + 9 });
  expect(liveOf({ timers, turns: { 5: { id: 5, resendOf: 4 } } }).limitEndsAt).toBeNull();
  expect(liveOf({ timers: timer(1, 'limit:4', { dueAt: NOW - 1, fired: true }) }).limitEndsAt).toBeNull();
  expect(liveOf({ timers, status: 'cancelling' }).limitEndsAt).toBeNull();
});

function service(): StatusService {
  // Only what is asked of them here.
  const store = {
    notices: [{ id: 'opened', level: 'info', text: 'opened' }],
    health: () => ({ state: 'ok', since: 0, detail: null }),
    spendSince: () => ({ tokens: 0, costUsd: 0, untoldTurns: 0 }),
    databaseBytes: () => 0,
    path: '/db',
  };
  const engine = { all: () => [] };
  const clock = { now: () => 1, at: () => () => undefined };
  return new StatusService({ store, engine, clock, pid: 1 } as unknown as ConstructorParameters<
    typeof StatusService
  >[0]);
}

test('what is told again takes the place of what was told, and comes back where that was dismissed', () => {
  const status = service();
  const texts = () => status.status().notices.map(({ text }) => text);
  const say = (text: string): void => status.notice({ id: 'given-up', level: 'warning', text });
  say('one');
  say('two');
  expect(texts()).toEqual(['opened', 'two']);
  status.dismiss('given-up');
  expect(texts()).toEqual(['opened']);
  say('three');
  expect(texts()).toEqual(['opened', 'three']);
});
