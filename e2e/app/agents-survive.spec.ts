import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Muster } from '../fixtures/launch';
import { statusesSeen, watchStatus } from '../fixtures/terminal-status';
import { type Bench, expect, letGo, test, WORKFLOW } from '../fixtures/test';

/**
 * A program with a prompt, which counts its prompts in a variable: another process would begin at one. It can
 * be told to wait for a file, and reports the end of a turn through the helper.
 */
const AGENT = `folder=$1
turn=0
printf 'agent> '
while IFS= read -r line; do
  case $line in
    /say*) echo "noted: $line"; printf 'agent> '; continue ;;
  esac
  turn=$((turn + 1))
  echo "$$ $turn" >> "$folder/turns"
  echo "turn $turn began"
  case $line in *wait*) while [ ! -e "$folder/go-$turn" ]; do sleep 0.05; done ;; esac
  "$MUSTER_SIGNAL" '{"type":"ended","text":"answer '"$turn"'"}'
  printf 'agent> '
done
`;

const step = (id: string, instruction: string, more = '') => `  - id: ${id}
    type: step.agent_task
    config: {acp_profile_id: by-hand, instruction: ${instruction}${more}}
`;

const inTurn = `name: In mid-turn
steps:
${step('work', 'first wait', ', re_prompts: [second]')}`;

const atGate = `name: At a gate
steps:
${step('work', 'first')}  - {id: ok, type: step.approval, config: {message: Go on?}}
${step('again', 'second', ', session_mode: continue')}cables:
  - {from: work.signal_out, to: ok.signal_in}
  - {from: work.data_out, to: again.data_in}
  - {from: ok.approved_out, to: again.context_in}
`;

async function begin(bench: Bench, muster: Muster, workflow: string): Promise<number> {
  const { page } = muster;
  const project = await bench.project(muster, { [WORKFLOW]: workflow, 'agent.sh': AGENT });
  await muster.call('agent.save', {
    profile: {
      kind: 'cli',
      id: 'by-hand',
      name: 'By hand',
      command: '/bin/bash',
      args: ['agent.sh', bench.dataDir],
      env: {},
      secrets: [],
      permissions: 'ask',
      read_only: false,
      max_sessions: 1,
      silence_minutes: null,
      trust_workspace: false,
    },
  });
  await muster.call('app.setLayout', { key: 'terminal.screenReader', value: true });
  await page.reload();
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  return runId;
}

/** Its prompts so far: the process that received each, and its count. */
const turns = (bench: Bench): string[] => {
  const path = join(bench.dataDir, 'turns');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
};

const shown = (page: Page) =>
  page.evaluate(() => {
    const rows = document.querySelectorAll('.xterm-accessibility-tree > div');
    return [...rows].map((row) => row.textContent ?? '').join('\n');
  });

async function showTerminal(page: Page, runId: number): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/terminal/${runId}/s1-0`);
  await expect(page.locator('.terminal-foot')).toHaveAttribute('data-status', 'live');
}

async function killCore(muster: Muster): Promise<void> {
  const pid = await muster.corePid();
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => muster.corePid().catch(() => pid), { timeout: 120_000 }).not.toBe(pid);
  await muster.call('run.list', {});
}

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

test('a program outlives two kills of the core in mid-turn: it goes on, its turn ends once, the re-prompt reaches it', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const runId = await begin(bench, muster, inTurn);
  await expect.poll(() => turns(bench).length, { timeout: 120_000 }).toBe(1);
  await showTerminal(page, runId);
  await expect.poll(() => shown(page)).toContain('turn 1 began');
  await watchStatus(page);
  await killCore(muster);
  await killCore(muster);
  const { state: during } = await muster.call('run.get', { runId });
  expect(during.turns[1]?.status).toBe('in_flight');
  expect(during.sessions[1]).toMatchObject({ status: 'ready', reattachedAt: expect.any(Number) });
  letGo(bench.dataDir, 'go-1');
  const { row, state } = await bench.until(muster, runId, (run) => run.row.finishedAt !== null);
  expect(row.status).toBe('succeeded');
  expect(Object.values(state.turns).map(({ status, response }) => [status, response])).toEqual([
    ['completed', 'answer 1'],
    ['completed', 'answer 2'],
  ]);
  const [first = '', second = ''] = turns(bench);
  expect(turns(bench)).toHaveLength(2);
  expect(second).toBe(`${first.split(' ')[0]} 2`);
  const seen = await statusesSeen(page);
  expect(seen.filter((status) => status !== 'live' && status !== 'ended')).toEqual([]);
  await expect.poll(() => isGone(Number(first.split(' ')[0]))).toBe(true);
});

test('the answer of a turn that ended while there was no core is recorded, once', async ({ bench }) => {
  const muster = await bench.launch();
  const runId = await begin(bench, muster, inTurn);
  await expect.poll(() => turns(bench).length, { timeout: 120_000 }).toBe(1);
  const { state: before } = await muster.call('run.get', { runId });
  const signals = join(before.artifactsDir, 'terminals', 's1-0.agent', 'signals.jsonl');
  const pid = await muster.corePid();
  process.kill(pid, 'SIGSTOP');
  letGo(bench.dataDir, 'go-1');
  await expect.poll(() => readFileSync(signals, 'utf8')).toContain('answer 1');
  process.kill(pid, 'SIGKILL');
  const { state } = await bench.until(muster, runId, (run) => run.row.finishedAt !== null);
  expect(Object.values(state.turns).map(({ response }) => response)).toEqual(['answer 1', 'answer 2']);
  expect(new Set(turns(bench).map((line) => line.split(' ')[0])).size).toBe(1);
});

test('a program whose core was killed between two turns, at a gate, is typed to by the operator, then by the next turn', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const runId = await begin(bench, muster, atGate);
  const { state: before } = await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  await killCore(muster);
  const { state: after } = await bench.until(
    muster,
    runId,
    ({ state }) => state.sessions[1]?.reattachedAt != null,
  );
  expect(after.sessions[1]).toMatchObject({ status: 'ready', since: before.sessions[1]?.since });
  await showTerminal(page, runId);
  await page.locator('[data-part="terminal-box"] textarea').focus();
  await page.keyboard.type('/say hello');
  await page.keyboard.press('Enter');
  await expect.poll(() => shown(page)).toContain('noted: /say hello');
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/session/${runId}/1`);
  await expect(page.locator('.head-facts')).toContainText(/re-attached after a restart of the core, \d/);
  const gate = Object.values(after.gates)[0];
  await muster.call('gate.resolve', { runId, gateId: gate?.id ?? 0, answer: { option: 'approve' } });
  const { row, state } = await bench.until(muster, runId, (run) => run.row.finishedAt !== null);
  expect(row.status).toBe('succeeded');
  expect(state.turns[2]?.response).toBe('answer 2');
  expect(turns(bench)[1]).toBe(`${turns(bench)[0]?.split(' ')[0]} 2`);
});

test('a program ends when the whole app is killed, and its turn is asked about', async ({ bench }) => {
  const first = await bench.launch();
  const runId = await begin(bench, first, inTurn);
  await expect.poll(() => turns(bench).length, { timeout: 120_000 }).toBe(1);
  const pid = Number(turns(bench)[0]?.split(' ')[0]);
  const gone = first.app.waitForEvent('close');
  process.kill(first.app.process().pid ?? 0, 'SIGKILL');
  await gone;
  await expect.poll(() => isGone(pid), { timeout: 120_000 }).toBe(true);
  const second = await bench.launch();
  const { state } = await bench.until(second, runId, ({ row }) => row.openGates === 1);
  expect(state.turns[1]).toMatchObject({ status: 'interrupted' });
  expect(state.sessions[1]?.reattachedAt).toBe(null);
  expect(turns(bench)).toHaveLength(1);
});

test('a kill of the terminal host with the core loses the session, its turn is asked about, and nothing is left', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const runId = await begin(bench, muster, inTurn);
  await expect.poll(() => turns(bench).length, { timeout: 120_000 }).toBe(1);
  const host = await muster.app.evaluate(({ app }) => {
    const named = app.getAppMetrics().find((one) => /terminal host/i.test(one.name ?? one.serviceName ?? ''));
    return named?.pid ?? 0;
  });
  process.kill(host, 'SIGKILL');
  await killCore(muster);
  const { state } = await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  expect(state.turns[1]?.status).toBe('interrupted');
  expect(state.gates[1]?.kind).toBe('interrupted_turn');
  await expect.poll(() => isGone(Number(turns(bench)[0]?.split(' ')[0])), { timeout: 120_000 }).toBe(true);
});

test('a program that was re-attached ends with the app', async ({ bench }) => {
  const muster = await bench.launch();
  const runId = await begin(bench, muster, atGate);
  await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  await killCore(muster);
  await bench.until(muster, runId, ({ state }) => state.sessions[1]?.reattachedAt != null);
  const pid = Number(turns(bench)[0]?.split(' ')[0]);
  expect(isGone(pid)).toBe(false);
  await muster.close();
  await expect.poll(() => isGone(pid), { timeout: 120_000 }).toBe(true);
});
