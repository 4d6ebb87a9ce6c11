import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunRow } from '@contract/run/procedures';
import type { CommandState, RunState, SessionState } from '@contract/run/state';
import { double, type Parts } from '@contract/testing/double';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { SessionService } from './session-service';

const folder = mkdtempSync(join(tmpdir(), 'muster-sessions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let open: Set<string>;
let states: Record<number, RunState>;
let reads: number;
let service: SessionService;

const command = (id: number, more: Partial<CommandState> = {}): CommandState => ({
  id,
  activationId: 1,
  workspaceId: null,
  script: `make ${id}\nmore`,
  terminal: true,
  status: 'exited',
  exitCode: 0,
  output: '',
  outputPath: null,
  outputBytes: 0,
  error: null,
  startedAt: 1,
  finishedAt: 2,
  ...more,
});
const turn = { kind: 'reprompt' as const, ordinal: 0, of: 2 };
const row = (id: number, finishedAt: number | null): RunRow =>
  ({ id, uid: `U${id}`, name: 'Release', at: 5, finishedAt }) as RunRow;
const rows = [row(1, null), row(2, 4)];

beforeEach(() => {
  open = new Set();
  reads = 0;
  const artifactsDir = join(folder, 'run');
  mkdirSync(join(artifactsDir, 'terminals'), { recursive: true });
  writeFileSync(join(artifactsDir, 'terminals', 's1-0.log'), 'hello');
  writeFileSync(join(artifactsDir, 'terminals', 's1-0.log.notes.jsonl'), '');
  const session: Parts<SessionState> = {
    id: 1,
    profileId: 'worker',
    status: 'ready',
    since: 3,
    turnIds: [1, 2],
    activationIds: [1],
    workspaceId: 1,
    error: null,
    reason: null,
    observed: { turnId: 2, state: 'unknown', since: 7, reason: 'no sign of life' },
  };
  const state = (commands: RunState['commands']) =>
    double<RunState>({
      ...{ teams: {}, loops: {}, rlm: {} },
      artifactsDir,
      profiles: {},
      called: {},
      commands,
      sessions: { 1: session },
      turns: {
        1: { ...turn, id: 1, usage: { total_tokens: 30, cost_usd: 0.5 }, status: 'completed', startedAt: 4 },
        2: { ...turn, id: 2, ordinal: 1, usage: null, status: 'in_flight', startedAt: 9 },
      },
      activations: { 1: { stepId: 'build', lanes: { 'agent-2': 1 } } },
      definition: { steps: [{ id: 'build', config: { agents: [{ role: 'builder' }, { role: 'tester' }] } }] },
      workspace: { branch: 'muster/run' },
      workspaces: { 1: { branch: 'muster/run-builder' } },
      gates: { 1: { sessionId: 1, status: 'open' }, 2: { sessionId: 2, status: 'open' } },
      prompts: { 1: { sessionId: 1, status: 'queued' }, 2: { sessionId: 1, status: 'sent' } },
    });
  const commands = { 1: command(1), 2: command(2, { exitCode: 2 }), 3: command(3, { terminal: false }) };
  states = { 1: state(commands), 2: state({}) };
  service = new SessionService({
    rows: () => ({ rows, more: false }),
    state: (runId) => {
      reads += 1;
      return states[runId] ?? null;
    },
    openTerminals: () => open,
  });
});

test('a run shows its sessions, the terminals of its commands, and those of its agents', () => {
  open.add(join(folder, 'run', 'terminals', 's1-0.log'));
  const [first] = service.list(10);
  expect(first?.sessions).toMatchObject([{ sessionId: 1, working: true, since: 9 }]);
  expect(first?.sessions[0]?.observed).toEqual({ state: 'unknown', since: 7, reason: 'no sign of life' });
  expect(first?.terminals).toMatchObject([
    { name: 'c1', title: 'make 1', state: 'ended', why: 'exit 0' },
    { name: 'c2', state: 'failed', why: 'exit 2' },
    { name: 's1-0', title: 'Shell of worker', state: 'running', sessionId: 1, bytes: 5 },
  ]);
});

test('a command that was cancelled has not failed, whatever its exit code', () => {
  const state = states[1];
  if (state === undefined) throw new Error('there is no run 1');
  const error = { code: 'cancelled' as const, message: 'it was cancelled' };
  state.commands[1] = command(1, { status: 'cancelled', exitCode: 143, error });
  expect(service.list(10)[0]?.terminals[0]).toMatchObject({ state: 'ended', why: 'cancelled' });
});

test('a session shows where it works, how far it has come, what it spent, and what waits', () => {
  expect(service.list(10)[0]?.sessions[0]).toMatchObject({
    stepId: 'build',
    role: 'tester',
    branch: 'muster/run-builder',
    openGates: 1,
    queued: 1,
    tokens: 30,
    costUsd: 0.5,
    lastTurn: { turnId: 2, kind: 'reprompt', ordinal: 1, of: 2 },
  });
});

test('a run that has ended is read once, unless a terminal of it is still open', () => {
  open.add(join(folder, 'run', 'terminals', 's1-0.log'));
  service.list(10);
  open.clear();
  service.list(10);
  expect(reads).toBe(4);
  expect(service.list(10)[1]?.terminals).toMatchObject([{ name: 's1-0', state: 'ended' }]);
  expect(reads).toBe(5);
});

test('a terminal is found by its name where it has a file or is open', () => {
  expect(service.terminal(1, 's1-0')).toEqual({
    ok: true,
    value: { outputPath: join(folder, 'run', 'terminals', 's1-0.log') },
  });
  expect(service.terminal(1, 'c1')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  open.add(join(folder, 'run', 'commands', 'c1.log'));
  expect(service.terminal(1, 'c1')).toMatchObject({ ok: true });
  expect(service.terminal(7, 'c1')).toMatchObject({ ok: false });
});
