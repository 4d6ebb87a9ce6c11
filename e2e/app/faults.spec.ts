import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from '../fixtures/model-server';
import { pressBoth } from '../fixtures/press-both';
import { expect, letGo, scripted, test, WORKFLOW } from '../fixtures/test';

const flow = (more = '') => `name: Faulty
steps:
  - id: work
    type: step.agent_task
    config: {acp_profile_id: worker, instruction: Go., re_prompts: [Again.]}
${more}`;

const ended = ({ row }: { row: { finishedAt: number | null } }) => row.finishedAt !== null;

/** Processes that carry Muster's mark, by the data folder in their environment. */
function marked(dataDir: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const text = readFileSync(`/proc/${pid}/environ`, 'utf8');
      return text.includes('MUSTER_SESSION=') && text.includes(dataDir);
    } catch {
      return false;
    }
  });
}

test.describe('faults of an agent', () => {
  const cases: { what: string; script: string; outcome: string; code: string }[] = [
    {
      what: 'that dies in mid-turn',
      script: 'default: { do: [{ crash: { code: 3 } }] }',
      outcome: 'failed',
      code: 'agent.crashed',
    },
    {
      what: 'that refuses',
      script: 'default: { text: No., stop: refusal }',
      outcome: 'failed',
      code: 'agent.refused',
    },
    {
      what: 'that stops by itself after too many requests',
      script: 'default: { text: Much., stop: max_turn_requests }',
      outcome: 'failed',
      code: 'step.max_iterations',
    },
    {
      what: 'that cannot be started',
      script: 'open: { crash: { code: 5, stderr: broken } }',
      outcome: 'failed',
      code: 'agent.start_failed',
    },
  ];
  for (const { what, script, outcome, code } of cases) {
    test(`an agent ${what} fails its step with ${code}, and nothing of it lives`, async ({ bench }) => {
      const muster = await bench.serve();
      const project = await bench.project(muster, scripted(flow(), `${script}\n`));
      const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
      const { state, row } = await bench.until(muster, runId, ended);
      expect([row.status, state.activations[1]?.error?.code]).toEqual([outcome, code]);
      await expect.poll(() => marked(bench.dataDir)).toEqual([]);
    });
  }

  test('an agent that floods and talks garbage completes its turn, and the window answers', async ({
    shared: bench,
  }) => {
    const muster = await bench.launch();
    const script = 'default: { do: [{ garbage: { lines: 50 } }, { flood: { mb: 4 } }], text: At last. }\n';
    const project = await bench.project(muster, scripted(flow(), script));
    const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
    await pressBoth(muster.page, 'g', 'r');
    await expect(muster.page.getByRole('option', { name: /Faulty/ })).toBeVisible();
    const { state } = await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
    // Of a large answer, events hold its size and both ends.
    expect(state.turns[2]?.response).toMatchObject({
      preview: { last: expect.stringContaining('At last.') },
    });
  });

  test('an agent that ignores the cancel has its group ended, and its turn is cancelled', async ({
    bench,
  }) => {
    const muster = await bench.serve();
    const project = await bench.project(
      muster,
      scripted(flow(), 'default: { do: [{ hang: {} }], ignore_cancel: true }\n'),
    );
    const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
    await bench.until(muster, runId, ({ state }) => state.turns[1]?.status === 'in_flight');
    await muster.call('run.cancel', { runId });
    const { state } = await bench.until(muster, runId, ({ row }) => row.status === 'cancelled');
    expect(state.turns[1]?.status).toBe('cancelled');
    await expect.poll(() => marked(bench.dataDir)).toEqual([]);
  });

  test('an agent that is not installed is one clear error with its hint', async ({ bench }) => {
    const muster = await bench.serve();
    const agents = 'profiles:\n  - {kind: acp, id: worker, name: Worker, command: no-such-agent-here}\n';
    const project = await bench.project(muster, { ...scripted(flow(), ''), '.muster/agents.yaml': agents });
    const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
    const { state } = await bench.until(muster, runId, ended);
    expect(state.activations[1]?.error).toMatchObject({
      code: 'agent.not_installed',
      message: expect.stringContaining('no-such-agent-here'),
      mend: expect.any(String),
    });
  });

  test('an agent that is not logged in opens a gate with the command, and the run goes on after it', async ({
    bench,
  }) => {
    const muster = await bench.serve();
    const project = await bench.project(muster, scripted(flow(), 'open: { error: auth_required }\n'));
    const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
    const { state } = await bench.until(muster, runId, ({ row }) => row.openGates === 1);
    expect(state.gates[1]?.kind).toBe('login');
    writeFileSync(join(project.path, '.muster/worker.yaml'), 'default: In.\n');
    await muster.call('gate.resolve', { runId, gateId: 1, answer: { option: 'resend' } });
    await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  });

  test('an agent whose login expires in mid-turn opens a gate, and gets the same prompt again in the same session', async ({
    bench,
  }) => {
    const muster = await bench.serve();
    const script =
      'match: [{ when: Again, reply: { text: Second., error: { auth_required: { times: 1 } } } }]\ndefault: First.\n';
    const project = await bench.project(muster, scripted(flow(), script));
    const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
    const { state } = await bench.until(muster, runId, ({ row }) => row.status === 'waiting');
    expect(state.gates[1]).toMatchObject({
      kind: 'login',
      turnId: 2,
      message: expect.stringMatching(/^Log in /),
    });
    await muster.call('gate.resolve', { runId, gateId: 1, answer: { option: 'resend' } });
    const end = await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
    const turns = Object.values(end.state.turns);
    expect(turns.map(({ status }) => status)).toEqual(['completed', 'login', 'completed']);
    expect(turns[2]?.prompt).toBe(turns[1]?.prompt);
    expect(Object.values(end.state.sessions).map(({ turnIds }) => turnIds)).toEqual([[1, 2, 3]]);
  });

  test('an agent whose address refuses its key at the first turn opens a gate, and the run goes on after it', async ({
    bench,
  }) => {
    const server = await startModelServer();
    try {
      const muster = await bench.serve();
      const agents = `profiles:\n  - {kind: gateway, id: worker, name: Worker, api: openai, base_url: '${server.url}', model: scripted}\n`;
      const instruction = flow()
        .replace('Go.', 'x STATUS=401 TIMES=1 SAY=Done')
        .replace(', re_prompts: [Again.]', '');
      const project = await bench.project(muster, {
        ...scripted(instruction, ''),
        '.muster/agents.yaml': agents,
      });
      const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
      const { state } = await bench.until(muster, runId, ({ row }) => row.status === 'waiting');
      expect(state.gates[1]).toMatchObject({
        kind: 'login',
        message: expect.stringContaining('api_key_secret'),
      });
      await muster.call('gate.resolve', { runId, gateId: 1, answer: { option: 'resend' } });
      await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
    } finally {
      await server.close();
    }
  });
});

test('a failed run is resumed from the turn that broke, in the same session', async ({ bench }) => {
  const muster = await bench.serve();
  const script =
    'match: [{ when: Again, reply: { do: [{ crash: { code: 3, times: 1 } }], text: Second. } }]\ndefault: First.\n';
  const project = await bench.project(muster, scripted(flow(), script));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(muster, runId, ({ row }) => row.status === 'failed');
  await muster.call('run.resume', { runId });
  const { state } = await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  expect(Object.values(state.turns).map((turn) => turn.status)).toEqual(['completed', 'failed', 'completed']);
  expect(state.sessions[1]?.turnIds).toHaveLength(3);
  expect(state.activations[1]?.outputs.data_out?.content).toMatchObject({
    merged_content: 'First.\n───── Re-prompt 1 ─────\nSecond.',
  });
});

test('a worktree that was deleted by hand leaves the gate waiting, and is made again for the next step', async ({
  bench,
}) => {
  const muster = await bench.serve();
  const more =
    '  - id: ok\n    type: step.approval\n    config: {message: Go?}\n  - id: after\n    type: step.command\n    config: {script: pwd, terminal: false}\ncables:\n  - {from: work.data_out, to: ok.data_in}\n  - {from: ok.approved_out, to: after.data_in}\n';
  const project = await bench.project(muster, scripted(flow(more), 'default: Done.\n'));
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { state } = await bench.until(muster, runId, ({ row }) => row.status === 'waiting');
  rmSync(state.workspace?.path ?? '', { recursive: true });
  await muster.call('gate.resolve', { runId, gateId: 1, answer: { option: 'approve' } });
  const end = await bench.until(muster, runId, ended);
  expect(end.row.status).toBe('succeeded');
  expect(end.state.commands[1]?.output).toBe(`${state.workspace?.path}\n`);
});

test('a project that is not a git repository is one clear error with its hint', async ({ bench }) => {
  const muster = await bench.serve();
  const project = await bench.project(muster, scripted(flow(), 'default: Done.\n'));
  rmSync(join(project.path, '.git'), { recursive: true });
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { state } = await bench.until(muster, runId, ended);
  expect(state.activations[1]?.error).toMatchObject({
    code: 'project.not_a_repository',
    mend: expect.stringContaining('git init'),
  });
});

test('a terminal host that dies under a command interrupts it, and the next command has a new host', async ({
  bench,
}) => {
  test.skip(process.platform !== 'linux', 'finds the process by /proc');
  const command =
    'name: Shell\nsteps:\n  - id: work\n    type: step.command\n    config: {script: "echo begun; sleep 60"}\n';
  const quick =
    'name: Quick\nsteps:\n  - id: work\n    type: step.command\n    config: {script: "echo here"}\n';
  const muster = await bench.launch();
  const project = await bench.project(muster, { [WORKFLOW]: command, '.muster/workflows/quick.yaml': quick });
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  await expect(async () => {
    const { text } = await muster.call('run.commandOutput', { runId, commandId: 1 });
    expect(text).toContain('begun');
  }).toPass();
  const pids = await muster.app.evaluate(({ app }) =>
    app
      .getAppMetrics()
      .flatMap((one) => (/terminal/i.test(one.name ?? one.serviceName ?? '') ? [one.pid] : [])),
  );
  expect(pids).toHaveLength(1);
  process.kill(pids[0] ?? 0, 'SIGKILL');
  const { state } = await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  expect(state.commands[1]).toMatchObject({ status: 'interrupted' });
  expect(state.gates[1]).toMatchObject({ kind: 'interrupted_command' });
  const next = await muster.call('run.start', {
    projectId: project.id,
    file: '.muster/workflows/quick.yaml',
  });
  const done = await bench.until(muster, next.runId, ended);
  expect(done.state.activations[1]?.outputs.data_out?.content).toBe('here');
});

test('a newer database is refused and left untouched', async ({ bench }) => {
  const first = await bench.launch();
  await first.call('project.list', {});
  await first.close();
  const path = join(bench.dataDir, 'muster.db');
  const sql =
    "const D=require('better-sqlite3');const d=new D(process.argv[1]);d.pragma('user_version=999');d.pragma('wal_checkpoint(TRUNCATE)');d.close()";
  execFileSync(process.execPath, ['-e', sql, path]);
  const before = readFileSync(path);
  const second = await bench.launch();
  await expect(second.page.getByText(/newer/i).first()).toBeVisible();
  await second.close();
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('a database that another program holds and no one can attach to is ours when it is free', async ({
  bench,
}) => {
  const hold =
    "const D=require('better-sqlite3');const d=new D(process.argv[1]);d.exec('begin immediate;create table if not exists held(a)');console.log('held');process.stdin.resume()";
  const holder = spawn(process.execPath, ['-e', hold, join(bench.dataDir, 'muster.db.lease')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  const muster = await bench.launch();
  const state = async () => (await muster.call('system.status', {})).core.state;
  await expect.poll(state, { timeout: 120_000 }).toBe('failed');
  await expect(muster.page.getByText(/Another Muster uses the database/).first()).toBeVisible();
  holder.stdin.end();
  await once(holder, 'exit');
  await expect.poll(state, { timeout: 120_000 }).toBe('running');
  expect(await muster.call('project.list', {})).toEqual([]);
});

test('a run that this Muster cannot read is put into the bin and taken out again in the window', async ({
  bench,
}) => {
  const first = await bench.launch();
  const project = await bench.project(first, scripted(flow(), 'default: Done.\n'));
  const { runId } = await first.call('run.start', { projectId: project.id, file: WORKFLOW });
  const { row } = await bench.until(first, runId, ended);
  await first.close();
  const sql =
    "const D=require('better-sqlite3');const d=new D(process.argv[1]);d.exec(`insert into event_types (name) values ('run.teleported');insert into events (id,run_id,seq,at,type,body) select (select max(id)+1 from events),1,(select max(seq)+1 from events where run_id=1),1,id,'{}' from event_types where name='run.teleported'`);d.close()";
  execFileSync(process.execPath, ['-e', sql, join(bench.dataDir, 'muster.db')]);
  const { page, call } = await bench.launch();
  const show = (hash: string) =>
    page.evaluate((to) => {
      location.hash = to;
    }, hash);
  await show(`#/run/${row.uid}`);
  const shown = page.getByRole('article', { name: `Run ${row.name}` });
  await expect(shown.getByText('cannot be read', { exact: false })).toBeVisible();
  await shown.getByRole('button', { name: 'Move the run to the bin' }).click();
  await expect(shown.getByRole('button', { name: 'Restore from the bin' })).toBeVisible();
  const listed = async (binned: boolean) => (await call('run.list', { binned })).rows.map(({ id }) => id);
  expect([await listed(false), await listed(true)]).toEqual([[], [runId]]);
  await show('#/runs/bin');
  const bin = page.getByRole('listbox', { name: 'Runs in the bin' });
  await expect(bin.getByRole('option', { name: new RegExp(row.name) })).toBeVisible();
  await shown.getByRole('button', { name: 'Restore from the bin' }).click();
  await expect.poll(() => listed(false)).toEqual([runId]);
});

test('a damaged database is set aside under another name, and the operator is told', async ({ bench }) => {
  const first = await bench.launch();
  await first.call('project.list', {});
  await first.close();
  const path = join(bench.dataDir, 'muster.db');
  writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, 100), Buffer.alloc(60_000, 7)]));
  const second = await bench.launch();
  expect(await second.call('project.list', {})).toEqual([]);
  const { notices } = await second.call('system.status', {});
  expect(notices.map((notice) => notice.level)).toContain('error');
  await expect(second.page.getByText(/set aside|damaged/i).first()).toBeVisible();
  expect(
    readdirSync(bench.dataDir).some(
      (name) => name !== 'muster.db' && name.startsWith('muster') && name.includes('damaged'),
    ),
  ).toBe(true);
  expect(existsSync(path)).toBe(true);
});

test('quitting with live work parks it, and the next start takes it up; no process is left', async ({
  bench,
}) => {
  const first = await bench.launch();
  const hold = `default: { do: [{ wait_for_file: ${bench.scratch}/go }], text: Done. }\n`;
  const project = await bench.project(
    first,
    scripted(flow().replace('work\n', 'work\n    on_interrupt: retry\n'), hold),
  );
  const { runId } = await first.call('run.start', { projectId: project.id, file: WORKFLOW });
  await bench.until(first, runId, ({ state }) => state.turns[1]?.status === 'in_flight');
  await first.close();
  expect(marked(bench.dataDir)).toEqual([]);
  letGo(bench.scratch);
  const second = await bench.launch();
  const { state } = await bench.until(second, runId, ({ row }) => row.status === 'succeeded');
  expect(state.turns[1]?.status).toBe('interrupted');
});
