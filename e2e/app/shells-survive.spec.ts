import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Muster } from '../fixtures/launch';
import { type Bench, expect, scripted, test, WORKFLOW } from '../fixtures/test';

const workflow = `name: Shells
steps:
  - id: work
    type: step.agent_task
    config: {acp_profile_id: worker, instruction: Set it up.}
  - {id: ok, type: step.approval, config: {message: Go on?}}
  - id: again
    type: step.agent_task
    config: {acp_profile_id: worker, session_mode: continue, instruction: Look at it.}
cables:
  - {from: work.signal_out, to: ok.signal_in}
  - {from: work.data_out, to: again.data_in}
  - {from: ok.approved_out, to: again.context_in}
`;

const script = (folder: string) => `match:
  - when: Set it up
    reply:
      do: [{run: {command: 'TOOL=unexported; echo $$ >> ${folder}/shells', via: terminal}}]
      text: Done.
  - when: Look at it
    reply:
      do: [{run: {command: 'echo "$TOOL" >> ${folder}/seen; echo $$ >> ${folder}/shells', via: terminal}}]
      text: Seen.
default: Hm.
`;

const lines = (bench: Bench, name: string): string[] => {
  const path = join(bench.dataDir, name);
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
};

const isGone = (pid: string): boolean => {
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch {
    return true;
  }
};

/** A run that waits at its gate with a used shell, after its core was killed and restarted. */
async function begin(bench: Bench): Promise<{ muster: Muster; runId: number; shell: string }> {
  const muster = await bench.launch();
  const project = await bench.project(muster, scripted(workflow, script(bench.dataDir)));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  const [shell = ''] = lines(bench, 'shells');
  const pid = await muster.corePid();
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => muster.corePid().catch(() => pid), { timeout: 120_000 }).not.toBe(pid);
  await bench.until(muster, runId, ({ state }) => state.sessions[1]?.status === 'lost');
  expect(isGone(shell)).toBe(false);
  return { muster, runId, shell };
}

test('an agent that is resumed after a kill of the core works on in its shell: the same process', async ({
  bench,
}) => {
  const { muster, runId, shell } = await begin(bench);
  await muster.call('gate.resolve', { runId, gateId: 1, answer: { option: 'approve' } });
  const { row } = await bench.until(muster, runId, (run) => run.row.finishedAt !== null);
  expect(row.status).toBe('succeeded');
  expect(lines(bench, 'shells')).toEqual([shell, shell]);
  expect(lines(bench, 'seen')).toEqual(['unexported']);
  await expect.poll(() => isGone(shell)).toBe(true);
});

test('a shell whose session is not to be resumed any more is ended', async ({ bench }) => {
  const { muster, runId, shell } = await begin(bench);
  await muster.call('run.cancel', { runId });
  await expect.poll(() => isGone(shell), { timeout: 120_000 }).toBe(true);
});

test('a shell that waits for its session ends with the app', async ({ bench }) => {
  const { muster, shell } = await begin(bench);
  await muster.close();
  await expect.poll(() => isGone(shell), { timeout: 120_000 }).toBe(true);
});
