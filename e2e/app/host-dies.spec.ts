import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Muster } from '../fixtures/launch';
import { type Bench, canDecide, expect, letGo, scripted, test, WORKFLOW } from '../fixtures/test';

test.skip(process.platform !== 'linux', 'finds processes in /proc');

/** A program with a prompt. Its first process waits in its turn for a file that never comes. */
const AGENT = `folder=$1
printf 'agent> '
while IFS= read -r line; do
  echo "$$ $line" >> "$folder/turns"
  echo "half of it"
  if [ "$(wc -l < "$folder/turns")" -lt 2 ]; then while [ ! -e "$folder/never" ]; do sleep 0.05; done; fi
  "$MUSTER_SIGNAL" '{"type":"ended","text":"the whole answer"}'
  printf 'agent> '
done
`;

const byHand = (onInterrupt: string) => `name: By hand
steps:
  - id: work
    type: step.agent_task
    on_interrupt: ${onInterrupt}
    config: {acp_profile_id: by-hand, instruction: Do it}
`;

const worker = (onInterrupt: string) => byHand(onInterrupt).replace('by-hand', 'worker');

/** Waits in a command in its terminal, the first time for a file that never comes. */
const script = (folder: string) => `turns:
  - do: [{run: {command: 'echo 1 >> ${folder}/turns; while [ ! -e ${folder}/never ]; do sleep 0.05; done', via: terminal}}]
    text: A wrong answer.
default:
  do: [{run: {command: 'echo 2 >> ${folder}/turns', via: terminal}}]
  text: The whole answer.
`;

async function begin(bench: Bench, muster: Muster, files: Readonly<Record<string, string>>): Promise<number> {
  const project = await bench.project(muster, files);
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
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await expect.poll(() => turns(bench).length, { timeout: 120_000 }).toBe(1);
  return runId;
}

const turns = (bench: Bench): string[] => {
  const path = join(bench.dataDir, 'turns');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
};

async function killTerminalHost(muster: Muster): Promise<void> {
  const pid = await muster.app.evaluate(({ app }) => {
    const named = app.getAppMetrics().find((one) => /terminal host/i.test(one.name ?? one.serviceName ?? ''));
    return named?.pid ?? 0;
  });
  process.kill(pid, 'SIGKILL');
}

const DIED = "Muster's terminal host died";

test('a turn whose terminal host is killed is asked about, and sent again by one press', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const runId = await begin(bench, muster, { [WORKFLOW]: byHand('ask'), 'agent.sh': AGENT });
  await killTerminalHost(muster);
  const { state } = await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  expect(state.turns[1]).toMatchObject({ status: 'interrupted', stopReason: DIED });
  expect(state.sessions[1]?.status).toBe('lost');
  await page.evaluate((hash) => {
    location.hash = hash;
  }, '#/inbox');
  await expect(page.getByText(DIED).first()).toBeVisible();
  await canDecide(page);
  await page.getByRole('button', { name: 'Send again' }).click();
  const done = await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  expect(done.row.status).toBe('succeeded');
  expect(done.state.turns[2]).toMatchObject({ response: 'the whole answer', resendOf: 1 });
  const pids = turns(bench).map((line) => line.split(' ')[0]);
  expect(new Set(pids).size).toBe(2);
});

test('a turn whose terminal host is killed goes on by itself with on_interrupt: retry', async ({ bench }) => {
  const muster = await bench.launch();
  const runId = await begin(bench, muster, { [WORKFLOW]: byHand('retry'), 'agent.sh': AGENT });
  await killTerminalHost(muster);
  const { row, state } = await bench.until(muster, runId, (run) => run.row.finishedAt !== null);
  expect(row.status).toBe('succeeded');
  expect(Object.values(state.turns).map(({ status }) => status)).toEqual(['interrupted', 'completed']);
});

for (const [policy, end] of [
  ['retry', 'succeeded'],
  ['fail', 'failed'],
] as const)
  test(`a killed terminal host under a command of an agent with on_interrupt: ${policy} leaves the turn without a result`, async ({
    bench,
  }) => {
    const muster = await bench.launch();
    const files = scripted(worker(policy), script(bench.dataDir));
    const runId = await begin(bench, muster, files);
    await killTerminalHost(muster);
    const { row, state } = await bench.until(muster, runId, (run) => run.row.finishedAt !== null);
    expect(row.status).toBe(end);
    expect(state.turns[1]).toMatchObject({ status: 'interrupted', stopReason: DIED });
    if (policy === 'retry') expect(state.turns[2]?.response).toBe('The whole answer.');
    else expect(state.activations[1]?.error?.code).toBe('unavailable');
    letGo(bench.dataDir, 'never');
  });
