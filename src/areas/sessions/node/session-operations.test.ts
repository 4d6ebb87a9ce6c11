import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEvent } from '@contract/run/events';
import { keyText } from '@contract/run/keys';
import { reduce } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { runStarted, stateAfter, workflow } from '@contract/run/testing/events';
import { double } from '@contract/testing/double';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SessionOperations } from './session-operations';

let folder: string;
let state: RunState;
let committed: RunEvent[];
let full: boolean;
let operations: SessionOperations;

const add = (...events: object[]): void => {
  for (const event of events) reduce(state, { seq: state.seq + 1, at: 1, event: event as RunEvent });
};
const turn = (turnId: number, sessionId = 1) => ({
  type: 'turn.dispatched',
  turnId,
  sessionId,
  activationId: 1,
  ordinal: 0,
  kind: 'primary',
  prompt: 'p',
  attachments: [],
  of: 1,
  resendOf: null,
});
const ended = (turnId: number) => ({
  type: 'turn.finished',
  turnId,
  outcome: 'completed',
  stopReason: 'end_turn',
  response: 'ok',
  usage: null,
  commit: null,
  error: null,
  limitResetsAt: null,
});
const finished = { type: 'run.finished', outcome: 'succeeded', reason: null };
const one = { runId: 1, sessionId: 1 };
const say = (attachments: string[] = [], more: object = {}) =>
  operations.prompt({ ...one, text: 'And now the tests', attachments, ...more });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-operations-'));
  const artifactsDir = join(folder, 'artifacts');
  const definition = workflow([{ id: 'a' }]);
  state = stateAfter([runStarted({ uid: 'U1', projectPath: folder, artifactsDir, definition })]);
  add(
    { type: 'activation.started', activationId: 1, stepId: 'a', attempt: 1, inputs: [] },
    {
      type: 'session.starting',
      sessionId: 1,
      activationId: 1,
      profileId: 'w',
      model: null,
      mode: null,
      env: {},
    },
    {
      type: 'session.ready',
      sessionId: 1,
      providerSessionId: 'p',
      agent: 'A',
      cwd: '/w',
      fresh: true,
      notice: null,
    },
  );
  committed = [];
  full = false;
  let ids = 0;
  operations = new SessionOperations({
    state: (runId) => (runId === 1 ? state : null),
    ids: {
      ulid: () => {
        ids += 1;
        return `ID${ids}`;
      },
    },
    engine: {
      command: async (_runId, make) => {
        const events = make(double<Parameters<typeof make>[0]>({ state }));
        if (!events.ok) return events;
        if (full) return { ok: false, error: { code: 'store.disk_full', message: 'full' } };
        committed.push(...events.value);
        add(...events.value);
        return { ok: true, value: undefined };
      },
    },
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a prompt is queued under the next number', async () => {
  expect(await say()).toEqual({ ok: true, value: { promptId: 1 } });
  expect(await say()).toEqual({ ok: true, value: { promptId: 2 } });
  expect(committed.map((event) => event.type)).toEqual(['prompt.queued', 'prompt.queued']);
  expect(state.prompts[2]).toMatchObject({ sessionId: 1, text: 'And now the tests', status: 'queued' });
});

test('a prompt is queued once under its key, whatever has become of the run since, and gets the same reply', async () => {
  writeFileSync(join(folder, 'a.txt'), 'a');
  const first = await say(['a.txt'], { key: 'K1' });
  rmSync(join(folder, 'a.txt'));
  expect(committed).toMatchObject([{ type: 'prompt.queued', keyed: { key: 'K1', answer: { promptId: 1 } } }]);
  add({ ...turn(1), kind: 'operator', promptId: 1 }, ended(1), finished, { type: 'run.binned', by: 'me' });
  expect(await say(['a.txt'], { key: 'K1' })).toEqual(first);
  expect(committed).toHaveLength(1);
  expect(readdirSync(join(folder, 'artifacts', 'attachments'))).toHaveLength(1);
  add({ type: 'run.restored', by: 'me' });
  expect(await say([], { key: 'K2' })).toEqual({ ok: true, value: { promptId: 2 } });
  expect(state.prompts[1]).not.toHaveProperty('keyed');
});

test('a prompt that was refused under a key is queued when it comes again', async () => {
  full = true;
  expect(await say([], { key: 'K1' })).toMatchObject({ ok: false });
  full = false;
  expect(await say([], { key: 'K1' })).toEqual({ ok: true, value: { promptId: 1 } });
});

test('a prompt first opens a finished run again', async () => {
  add(finished);
  await say();
  expect(committed.map((event) => event.type)).toEqual(['run.reopened', 'prompt.queued']);
  expect(state.status).toBe('running');
});

test('attachments are copied, each under a name of its own', async () => {
  writeFileSync(join(folder, 'a.png'), 'png');
  await say([join(folder, 'a.png'), 'a.png']);
  const files = state.prompts[1]?.attachments ?? [];
  expect(files).toMatchObject([
    { name: 'a.png', mime: 'image/png', bytes: 3 },
    { name: 'a.png', mime: 'image/png', bytes: 3 },
  ]);
  expect(new Set(files.map((file) => file.path)).size).toBe(2);
  expect(files.map((file) => readFileSync(file.path, 'utf8'))).toEqual(['png', 'png']);
});

test('a prompt with a missing attachment does nothing at all', async () => {
  writeFileSync(join(folder, 'a.png'), 'png');
  expect(await say(['a.png', 'gone.txt'])).toMatchObject({
    ok: false,
    error: { code: 'validation.file_missing', where: { file: 'gone.txt' } },
  });
  expect(committed).toEqual([]);
  expect(existsSync(join(folder, 'artifacts', 'attachments'))).toBe(false);
});

test('a prompt that could not be written leaves no copies behind', async () => {
  writeFileSync(join(folder, 'a.png'), 'png');
  full = true;
  expect(await say(['a.png'])).toMatchObject({ ok: false, error: { code: 'store.disk_full' } });
  expect(readdirSync(join(folder, 'artifacts', 'attachments'))).toEqual([]);
});

test('a prompt is refused with the reason for unknown and failed sessions, and for runs that are going away', async () => {
  expect(await say([], { sessionId: 7 })).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(await say([], { runId: 7 })).toMatchObject({ ok: false, error: { code: 'not_found' } });
  add({
    type: 'session.failed',
    sessionId: 1,
    error: { code: 'agent.start_failed', message: 'no such program' },
  });
  expect(await say()).toMatchObject({
    ok: false,
    error: { code: 'conflict', message: 'session 1 has failed: no such program' },
  });
  add({ type: 'session.ready', sessionId: 1, providerSessionId: 'p', agent: 'A', cwd: '/w' });
  add({ type: 'run.cancel-requested', by: 'me' });
  expect(await say()).toMatchObject({ ok: false, error: { message: 'the run is being cancelled' } });
  add(finished, { type: 'run.binned', by: 'me' });
  expect(await say()).toMatchObject({ ok: false, error: { message: 'the run is in the bin' } });
  expect(committed).toEqual([]);
});

test('a prompt is withdrawn while it is queued, and only then', async () => {
  await say();
  expect(await operations.withdraw({ runId: 1, promptId: 1 })).toEqual({ ok: true, value: {} });
  expect(state.prompts[1]?.status).toBe('withdrawn');
  expect(await operations.withdraw({ runId: 1, promptId: 1 })).toEqual({ ok: true, value: {} });
  expect(committed.filter((event) => event.type === 'prompt.withdrawn')).toHaveLength(1);
  await say();
  add({ ...turn(5), kind: 'operator', promptId: 2 });
  expect(await operations.withdraw({ runId: 1, promptId: 2 })).toMatchObject({
    ok: false,
    error: { code: 'conflict', message: 'the prompt was already sent, as turn 5' },
  });
  expect(await operations.withdraw({ runId: 1, promptId: 9 })).toMatchObject({
    ok: false,
    error: { code: 'not_found' },
  });
});

test('a prompt that waits for the end of a limit is withdrawn with its question', async () => {
  await say();
  add({ ...turn(5), kind: 'operator', promptId: 1 });
  add({ ...ended(5), outcome: 'limit', limitResetsAt: 1_000_000 });
  add({
    type: 'timer.set',
    timerId: 1,
    activationId: 1,
    dueAt: 1_000_000,
    purpose: keyText(['turn.limit', 5]),
  });
  expect(await operations.withdraw({ runId: 1, promptId: 1 })).toEqual({ ok: true, value: {} });
  expect(state.prompts[1]?.status).toBe('withdrawn');
  await say();
  add({ ...turn(6), kind: 'operator', promptId: 2 });
  add({ ...ended(6), outcome: 'limit', limitResetsAt: null });
  add({
    type: 'gate.opened',
    gateId: 1,
    activationId: 1,
    sessionId: 1,
    turnId: 6,
    commandId: null,
    kind: 'provider_limit',
    title: 't',
    message: 'm',
    evidence: null,
    request: null,
    options: [],
    why: null,
  });
  expect(await operations.withdraw({ runId: 1, promptId: 2 })).toEqual({ ok: true, value: {} });
  expect([state.prompts[2]?.status, state.gates[1]?.status]).toEqual(['withdrawn', 'withdrawn']);
});

test('a question about opening the session is withdrawn with the prompt, where nothing else needs the session', async () => {
  const login = {
    type: 'gate.opened',
    gateId: 1,
    activationId: 1,
    sessionId: 1,
    turnId: null,
    commandId: null,
    kind: 'login',
    title: 't',
    message: 'm',
    evidence: null,
    request: null,
    options: [],
    why: null,
  };
  await say();
  add(login);
  await operations.withdraw({ runId: 1, promptId: 1 });
  expect(state.gates[1]?.status).toBe('open');
  add({
    type: 'activation.finished',
    activationId: 1,
    outcome: 'succeeded',
    outputs: {},
    signals: [],
    receipt: {},
    warnings: [],
    error: null,
  });
  await say();
  await operations.withdraw({ runId: 1, promptId: 2 });
  expect(state.gates[1]?.status).toBe('withdrawn');
});

test('a turn in flight is cancelled once, and the error says where there is none', async () => {
  expect(await operations.cancelTurn(one)).toMatchObject({
    ok: false,
    error: { code: 'conflict', message: 'no turn is in flight in session 1: it is idle' },
  });
  add(turn(1), ended(1), turn(2));
  await operations.cancelTurn(one);
  await operations.cancelTurn(one);
  expect(committed).toEqual([{ type: 'turn.cancel-requested', turnId: 2, by: 'operator' }]);
});

test('a session that stands idle is parked, and a busy one says what it does', async () => {
  add(turn(1));
  expect(await operations.park(one)).toMatchObject({
    ok: false,
    error: { message: 'session 1 cannot be parked: turn 1 is running' },
  });
  add(ended(1));
  await say();
  expect(await operations.park(one)).toMatchObject({
    ok: false,
    error: { message: 'session 1 cannot be parked: a prompt of yours is about to be sent' },
  });
  await operations.withdraw({ runId: 1, promptId: 1 });
  committed.length = 0;
  expect(await operations.park(one)).toEqual({ ok: true, value: {} });
  expect(committed).toEqual([{ type: 'session.parked', sessionId: 1, reason: 'parked by the operator' }]);
  expect(await operations.park(one)).toMatchObject({
    ok: false,
    error: { message: 'session 1 cannot be parked: it is parked: parked by the operator' },
  });
});
