import { expect, test } from 'vitest';
import type { SessionRow, TerminalRow, Workplace } from '../contract/procedures';
import { placeRows, sessionNote, sessionTitle, sessionWord } from './rows';

const session = (sessionId: number, working = false): SessionRow => ({
  sessionId,
  profileId: 'worker',
  profileName: 'Worker',
  agent: null,
  model: null,
  status: 'ready',
  working,
  since: 1,
  reason: null,
  cwd: null,
  turnIds: [],
  lastTurn: null,
  stepId: null,
  stepTitle: null,
  role: null,
  branch: null,
  openGates: 0,
  awaits: false,
  queued: 0,
  observed: null,
  lostHost: null,
  tokens: 0,
  costUsd: 0,
});
const terminal = (name: string, state: TerminalRow['state'], title = 'npm test'): TerminalRow => ({
  name,
  title,
  state,
  since: 1,
  why: null,
  sessionId: null,
  bytes: 0,
});
const place = (runId: number, more: Partial<Workplace>): Workplace => ({
  runId,
  runUid: `U${runId}`,
  runName: `Run ${runId}`,
  at: 1,
  sessions: [],
  terminals: [],
  ...more,
});
const keys = (places: Workplace[], search = '') => placeRows(places, search).map((row) => row.key);

test('each run has a heading, and working sessions stand first under it', () => {
  const one = place(1, {
    sessions: [session(1)],
    terminals: [terminal('c1', 'ended'), terminal('c2', 'running')],
  });
  const two = place(2, { sessions: [session(1), session(2, true)] });
  expect(keys([two, one])).toEqual(['run/2', '2/s2', '2/s1', 'run/1', '1/c2', '1/s1', '1/c1']);
});

test('a search leaves matching rows, and no heading without rows', () => {
  const places = [
    place(1, { sessions: [session(1)], terminals: [terminal('c1', 'ended', 'cargo build')] }),
    place(2, { sessions: [session(1)] }),
  ];
  expect(keys(places, 'Cargo')).toEqual(['run/1', '1/c1']);
  expect(keys(places, 'run 2')).toEqual(['run/2', '2/s1']);
  expect(keys(places, 'nothing')).toEqual([]);
});

test('a session says what it does, and that it waits before all else', () => {
  const lastTurn = { turnId: 4, kind: 'reprompt', ordinal: 2, of: 3 } as const;
  const works = { ...session(1, true), lastTurn, stepId: 'build', stepTitle: 'Build it', role: 'builder' };
  expect(sessionTitle(works)).toBe('builder · Worker');
  expect(sessionTitle({ ...works, role: 'worker' })).toBe('Worker');
  expect(sessionNote(works)).toBe('Working: Re-prompt 2/2');
  expect(sessionNote({ ...works, working: false })).toBe('Ready: Build it');
  expect(sessionNote({ ...session(1), status: 'parked', reason: 'parked by the operator' })).toBe(
    'Parked: parked by the operator',
  );
  expect(sessionWord({ ...works, openGates: 1 }).word).toBe('Waits for you');
  const asks = {
    ...works,
    working: false,
    openGates: 1,
    status: 'parked',
    reason: 'Muster was closed',
  } as const;
  expect(sessionNote(asks)).toBe('Waits for you: Build it');
  expect(sessionNote({ ...asks, status: 'resumable' })).toBe('Waits for you: Build it');
  expect(sessionNote({ ...asks, status: 'failed', reason: 'its agent is not logged in' })).toBe(
    'Waits for you: its agent is not logged in',
  );
});

test('a session whose agent was not seen to work says so, since when and why', () => {
  const since = new Date(2026, 4, 1, 14, 2).getTime();
  const reason = 'no sign of life since it printed something';
  const quiet = { ...session(1, true), observed: { state: 'unknown', since, reason } as const };
  expect(sessionWord(quiet)).toMatchObject({ word: 'Not known', tone: 'grey' });
  expect(sessionNote(quiet)).toMatch(
    /^Not known since (14:02|2:02\sPM): no sign of life since it printed something$/,
  );
  const asks = {
    ...quiet,
    openGates: 1,
    observed: { state: 'waits', since, reason: 'may it use Bash?' } as const,
  };
  expect(sessionNote(asks)).toMatch(/^Waits for you since (14:02|2:02\sPM): may it use Bash\?$/);
});

test('a session whose agent waits for a message of the operator says so, until it works again', () => {
  expect(sessionWord({ ...session(1), awaits: true }).word).toBe('Waits for you');
  expect(sessionWord({ ...session(1, true), awaits: true }).word).toBe('Working');
  expect(sessionNote({ ...session(1), awaits: true, status: 'parked', reason: 'idle' })).toBe(
    'Waits for you',
  );
});
