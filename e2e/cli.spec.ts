import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { GateRow } from '@areas/gates/contract/procedures';
import type { RunRow } from '@contract/run/procedures';
import { Cli } from './fixtures/cli';
import { temporaryDataDir } from './fixtures/launch';
import { makeProject } from './fixtures/project';
import { expect, letGo, scripted, test, WORKFLOW } from './fixtures/test';

const workflow = (onInterrupt = 'ask') => `name: Two turns
workspace: folder
steps:
  - id: work
    type: step.agent_task
    on_interrupt: ${onInterrupt}
    config: {acp_profile_id: worker, instruction: Begin., re_prompts: [Go on.]}
  - id: ok
    type: step.approval
    config: {message: Is it fine?}
cables:
  - {from: work.data_out, to: ok.data_in}
`;

const quick = 'default: Done.\n';
const held = (folder: string) =>
  `match:\n  - when: Go on\n    reply: { do: [{ wait_for_file: ${folder}/go }], text: The end. }\ndefault: Begun.\n`;

const fileOf = (project: string) => join(project, WORKFLOW);
const records = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

async function status(cli: Cli, run: string): Promise<string> {
  const { run: row } = await cli.document<{ run: RunRow }>('show', run);
  return row.status;
}

test('a run goes from its file to its end, gate by gate, without a window', async ({ cli }) => {
  const project = makeProject(scripted(workflow(), quick));
  const valid = await cli.run('validate', fileOf(project));
  expect(valid).toMatchObject({ code: 0, out: expect.stringContaining('Two turns is valid, 2 steps') });

  const run = await cli.run('run', fileOf(project), '--instruction', 'Go', '--no-wait', '--json');
  expect([run.code, run.err]).toEqual([6, '']);
  const told = records(run.out);
  expect(told[0]).toMatchObject({ kind: 'event', seq: 1, event: { type: 'run.started', instruction: 'Go' } });
  expect(told.at(-1)).toEqual({ kind: 'left', runId: 1, status: 'waiting', stopped: false, exitCode: 6 });

  const { gates } = await cli.document<{ gates: GateRow[] }>('gates');
  expect(gates).toMatchObject([{ runId: 1, gateId: 1, message: 'Is it fine?' }]);
  const approved = await cli.run('approve', '1/1');
  expect(approved).toMatchObject({ code: 0, err: '', out: expect.stringContaining('succeeded') });
  expect(await status(cli, '1')).toBe('succeeded');
  expect(await cli.run('approve', '1/1')).toMatchObject({ code: 2 });

  await cli.run('run', fileOf(project), '--no-wait');
  expect(await cli.run('reject', '2', '--reason', 'No.')).toMatchObject({ code: 4 });
  await cli.run('run', fileOf(project), '--no-wait');
  expect(await cli.run('cancel', '3')).toMatchObject({ code: 0 });
  const { runs } = await cli.document<{ runs: RunRow[] }>('list');
  expect(runs.map((row) => row.status)).toEqual(['cancelled', 'rejected', 'succeeded']);
  const { runs: rejected } = await cli.document<{ runs: RunRow[] }>('list', '--status', 'rejected');
  expect(rejected.map((row) => row.id)).toEqual([2]);
});

test('each error has its code: a broken file, an unknown run, a store that cannot be opened', async ({
  cli,
}) => {
  const project = makeProject(scripted('name: Broken\nsteps:\n  - id: a\n    type: step.nothing\n', quick));
  const broken = await cli.run('run', fileOf(project));
  expect([broken.code, broken.out]).toEqual([3, '']);
  expect(broken.err).toContain('w.yaml:4: error:');
  expect(await cli.run('validate', fileOf(project))).toMatchObject({ code: 3 });
  expect(await cli.run('show', '77')).toMatchObject({ code: 2 });
  expect(await cli.run('status')).toMatchObject({ code: 7 });
  const locked = await cli.run('list', '--db', join(project, 'README.md', 'none.db'));
  expect(locked.code).toBe(7);
});

const two = `name: Two at once
steps:
  - id: code
    type: step.coding
    config:
      instruction: Build it.
      coordination: parallel
      agents: [{role: asker, acp_profile_id: asker}, {role: worker, acp_profile_id: worker}]
`;
const twoScripts = (folder: string) => ({
  '.muster/agents.yaml': ['asker', 'worker']
    .map((id) => `  - {kind: scripted, id: ${id}, name: ${id}, script: .muster/scripts/${id}.yaml}\n`)
    .reduce((text, line) => text + line, 'profiles:\n'),
  '.muster/scripts/asker.yaml':
    'turns:\n  - do: [{write: {path: made.txt, content: x, ask: true}}]\n    text: Made.\n',
  '.muster/scripts/worker.yaml': `turns:\n  - do: [{wait_for_file: ${folder}/go}]\n    text: Worked.\n`,
  [WORKFLOW]: two,
});

test('a command in a folder that was deleted says so in one sentence', async ({ cli }) => {
  const folder = join(cli.dataDir, 'gone');
  mkdirSync(folder, { recursive: true });
  const entry = join(import.meta.dirname, '..', 'out', 'main', 'cli.js');
  const script = 'cd "$1" && rmdir "$1" && exec "$2" "$3" list';
  const { status: code, stderr } = spawnSync(
    '/bin/sh',
    ['-c', script, 'sh', folder, process.execPath, entry],
    { encoding: 'utf8' },
  );
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^muster: the current folder does not exist.*\n$/),
  ]);
});

test('a run with a question beside an agent that works is left when that one is done, and not before', async ({
  cli,
}) => {
  const project = makeProject(twoScripts(cli.dataDir));
  const run = cli.start('run', fileOf(project), '--no-wait');
  await expect.poll(async () => (await cli.run('gates')).out).toContain('made.txt');
  expect(await status(cli, '1')).toBe('running');
  expect(run.child.exitCode).toBeNull();
  letGo(cli.dataDir);
  expect(await run.done).toMatchObject({ code: 6, err: '' });
  const { state } = await cli.document<{ state: { turns: Record<string, { response: string }> } }>(
    'show',
    '1',
  );
  expect(Object.values(state.turns).map(({ response }) => response)).toContain('Worked.');
});

test('a run that is exported in mid-turn is imported as cut short, and goes on there', async ({ cli }) => {
  const project = makeProject(scripted(workflow('retry'), held(cli.dataDir)));
  const run = cli.start('run', fileOf(project), '--no-wait');
  await expect.poll(run.out).toContain('re-prompt 1/1');
  const file = join(project, 'run.jsonl');
  expect(await cli.run('export', '1', file)).toMatchObject({ code: 0 });
  const other = await temporaryDataDir();
  try {
    const elsewhere = new Cli(other.path);
    expect(await elsewhere.run('import', project)).toMatchObject({ code: 2 });
    expect(await elsewhere.run('import', file)).toMatchObject({ code: 0 });
    expect(await status(elsewhere, '1')).toBe('cancelled');
    letGo(cli.dataDir);
    expect(await elsewhere.run('resume', '1')).toMatchObject({ code: 6, err: '' });
    expect(await elsewhere.run('approve', '1')).toMatchObject({ code: 0 });
  } finally {
    await other.remove();
  }
  expect(await run.done).toMatchObject({ code: 6 });
});

test('an exported run is imported on another machine', async ({ cli }) => {
  const project = makeProject(scripted(workflow(), quick));
  await cli.run('run', fileOf(project), '--no-wait');
  await cli.run('approve', '1');
  const file = join(project, 'run.jsonl');
  expect(await cli.run('export', '1', file)).toMatchObject({ code: 0 });
  const other = await temporaryDataDir();
  try {
    const elsewhere = new Cli(other.path);
    const { runId } = await elsewhere.document<{ runId: number }>('import', file);
    expect(await status(elsewhere, String(runId))).toBe('succeeded');
    const events = async (one: Cli) => {
      const { out } = await one.run('show', '1', '--events', '--json');
      return records(out).map(({ seq, event }) => [seq, event.type]);
    };
    expect(await events(elsewhere)).toEqual(await events(cli));
  } finally {
    await other.remove();
  }
});

test('Ctrl-C parks a run, and resume goes on with it', async ({ cli }) => {
  const project = makeProject(scripted(workflow('retry'), held(cli.dataDir)));
  const run = cli.start('run', fileOf(project));
  await expect.poll(run.out).toContain('re-prompt 1/1');
  run.child.kill('SIGINT');
  const parked = await run.done;
  expect(parked).toMatchObject({ code: 130, err: '', out: expect.stringContaining('muster resume 1') });
  expect((await cli.run('list')).out).toContain('parked');
  letGo(cli.dataDir);
  const resumed = await cli.run('resume', '1');
  expect([resumed.code, resumed.err]).toEqual([6, '']);
  expect(resumed.out).toContain('waits for you');
  const { state } = await cli.document<{
    state: { turns: Record<string, { status: string; ordinal: number }> };
  }>('show', '1');
  const turns = Object.values(state.turns).map(({ ordinal, status: how }) => [ordinal, how]);
  expect(turns).toEqual([
    [0, 'completed'],
    [1, 'interrupted'],
    [1, 'completed'],
  ]);
});

test('a second terminal talks to the one that hosts the core, and takes over when it is killed', async ({
  cli,
}) => {
  const project = makeProject(scripted(workflow('retry'), held(cli.dataDir)));
  const first = cli.start('run', fileOf(project));
  await expect.poll(first.out).toContain('re-prompt 1/1');
  const { core } = await cli.document<{ core: { pid: number } }>('status');
  expect(core.pid).toBe(first.child.pid);
  const second = cli.start('resume', '1', '--wait');
  await expect.poll(async () => (await cli.run('list')).out).toContain('Re-prompt 1/1');
  first.child.kill('SIGKILL');
  await first.done;
  await expect.poll(second.out, { timeout: 120_000 }).toContain('turn interrupted');
  letGo(cli.dataDir);
  await expect.poll(second.out, { timeout: 120_000 }).toContain('waits for you');
  const answer = await cli.run('approve', '1');
  expect(answer).toMatchObject({ code: 0, out: expect.stringContaining(`process ${second.child.pid}`) });
  expect(await second.done).toMatchObject({ code: 0 });
  expect(existsSync(join(cli.dataDir, 'core-endpoint.json'))).toBe(false);
});

test('a run that is started and left goes on in the background until only its gate is left', async ({
  cli,
}) => {
  const project = makeProject(scripted(workflow(), quick));
  const { runId, hostedBy } = await cli.document<{ runId: number; hostedBy: number }>(
    'run',
    fileOf(project),
    '--detach',
  );
  await expect.poll(() => status(cli, String(runId))).toBe('waiting');
  const lives = (): boolean => {
    try {
      return process.kill(hostedBy, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(lives, { timeout: 120_000 }).toBe(false);
  expect(await status(cli, String(runId))).toBe('waiting');
});

interface Api {
  readonly address: string;
  readonly token: string;
}

/** Everything that a stream sends up to and including `wanted`. */
async function hear({ address, token }: Api, path: string, wanted: string): Promise<string> {
  const response = await fetch(address + path, { headers: { authorization: `Bearer ${token}` } });
  let heard = '';
  for await (const chunk of response.body ?? []) {
    heard += Buffer.from(chunk).toString();
    if (heard.includes(wanted)) return heard;
  }
  throw new Error(`the stream ended: ${heard}`);
}

test('the HTTP API of a host without a window starts a run, follows it by events and answers it', async ({
  cli,
}) => {
  const project = makeProject(scripted(workflow(), quick));
  expect(await cli.run('api', '--on')).toMatchObject({ code: 0 });
  const host = cli.start('serve');
  await expect.poll(host.out).toContain('HTTP API: http://127.0.0.1:');
  const api = await cli.document<Api>('api');
  expect(readFileSync(join(cli.dataDir, 'api-token'), 'utf8').trim()).toBe(api.token);
  const post = (path: string, body: unknown) =>
    fetch(api.address + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const started = await post('/runs', { project, file: WORKFLOW });
  expect(started.status).toBe(201);
  const heard = await hear(api, '/events?after=0', 'event: gate.opened');
  expect(heard).toContain(
    'event: task.agent_task.reprompt_dispatched\ndata: {"module_id":"work","reprompt_index":0,"reprompt_count":1}\n',
  );
  const ids = [...heard.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  const again = await hear(api, `/events?after=${ids[3]}`, 'event: gate.opened');
  expect([...again.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)).slice(1, 5)).toEqual(
    ids.slice(4, 8),
  );
  expect((await post('/gates/1/1', { option: 'approve' })).status).toBe(200);
  await hear(api, '/events?after=0&run=1', 'event: run.finished');
  host.child.kill('SIGTERM');
  expect(await host.done).toMatchObject({ code: 0, err: '' });
});

test('a window that is opened meanwhile uses the core of the command line, which goes on with all runs then', async ({
  cli,
  bench,
}) => {
  const project = makeProject(scripted(workflow('retry'), held(cli.dataDir)));
  const parked = cli.start('run', fileOf(project));
  await expect.poll(parked.out).toContain('re-prompt 1/1');
  parked.child.kill('SIGINT');
  expect(await parked.done).toMatchObject({ code: 130 });
  const run = cli.start('run', fileOf(project));
  await expect.poll(run.out).toContain('re-prompt 1/1');
  const muster = await bench.launch();
  await expect
    .poll(async () => (await muster.call('system.status', {})).core.state, { timeout: 120_000 })
    .toBe('attached');
  const { core } = await muster.call('system.status', {});
  expect(core.detail).toBe('Another Muster uses the database.');
  await bench.until(muster, 1, ({ state }) => state.turns[3]?.status === 'in_flight');
  writeFileSync(join(cli.dataDir, 'go'), '');
  for (const runId of [1, 2]) {
    await bench.until(muster, runId, ({ row }) => row.status === 'waiting');
    await muster.call('gate.resolve', { runId, gateId: 1, answer: { option: 'approve' } });
  }
  expect(await run.done).toMatchObject({ code: 0 });
  // Its core is gone, so the window starts its own.
  await expect
    .poll(async () => (await muster.call('system.status', {})).core.state, { timeout: 120_000 })
    .toBe('running');
});

test('the core of a window that is killed is started again by the window, and not by a command that follows', async ({
  cli,
  bench,
}) => {
  const muster = await bench.launch();
  const project = makeProject(scripted(workflow('retry'), held(cli.dataDir)));
  const run = cli.start('run', fileOf(project));
  await expect.poll(run.out, { timeout: 120_000 }).toContain('re-prompt 1/1');
  process.kill(await muster.corePid(), 'SIGKILL');
  await expect.poll(run.out, { timeout: 120_000 }).toContain('turn interrupted');
  expect((await muster.call('system.status', {})).core.state).toBe('running');
  letGo(cli.dataDir);
  await bench.until(muster, 1, ({ row }) => row.status === 'waiting');
  await muster.call('gate.resolve', { runId: 1, gateId: 1, answer: { option: 'approve' } });
  expect(await run.done).toMatchObject({ code: 0 });
});

test('the command line keeps its compiled code in the folder for caches, and runs where it can keep nothing', async ({
  cli,
  bench,
}) => {
  const version = (home: string) => cli.startIn({ HOME: home, XDG_CACHE_HOME: '' }, '--version').done;
  const home = join(bench.dataDir, 'home');
  mkdirSync(home);
  const names = () => readdirSync(home, { recursive: true }).map((path) => basename(String(path)));
  const first = await version(home);
  expect(first).toMatchObject({ code: 0, err: '' });
  expect(names()).toContainEqual(expect.stringMatching(/^cli\.cjs-/));
  expect(await version(home)).toEqual(first);
  const file = join(bench.dataDir, 'file');
  writeFileSync(file, '');
  expect(await version(file)).toEqual(first);
});
