import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import type { Cli } from './fixtures/cli';
import { makeProject } from './fixtures/project';
import { expect, letGo, test } from './fixtures/test';

/**
 * Replaces `codex exec --json`. Its behaviour depends on its story and on the number of earlier attempts. It
 * emits Codex's events, message file and exit codes.
 */
const WORKER = `#!/usr/bin/env node
const { execFileSync } = require('node:child_process');
const { existsSync, readFileSync, writeFileSync, appendFileSync } = require('node:fs');
const args = process.argv.slice(2);
const prompt = args.at(-1);
const out = args[args.indexOf('--output-last-message') + 1];
const id = /^Your story: (US-\\d+)/m.exec(prompt)[1];
const counts = process.env.TRIES;
const all = existsSync(counts) ? JSON.parse(readFileSync(counts, 'utf8')) : {};
const turn = (all[id] = (all[id] ?? 0) + 1);
writeFileSync(counts, JSON.stringify(all));
const tell = (event) => process.stdout.write(JSON.stringify(event) + '\\n');
const say = (text) => {
  tell({ type: 'item.completed', item: { id: '1', type: 'agent_message', text } });
  writeFileSync(out, text);
};
const git = (...words) => execFileSync('git', ['-c', 'user.name=W', '-c', 'user.email=w@example.org', ...words]);
const pass = () => {
  const plan = JSON.parse(readFileSync('prd.json', 'utf8'));
  plan.userStories.find((story) => story.id === id).passes = true;
  writeFileSync('prd.json', JSON.stringify(plan, null, 2));
  appendFileSync('progress.txt', '## ' + id + '\\n---\\n');
  git('add', 'prd.json', 'progress.txt');
  git('commit', '-qm', 'feat: [' + id + '] - work');
  say('Implemented ' + id + '.\\nAll checks pass.\\nResult: completed');
};
const done = () => tell({ type: 'turn.completed', usage: { input_tokens: 100, output_tokens: 10 } });
const acts = {
  'US-002': [() => say('Looked at it, nothing to change.\\nResult: no-op')],
  'US-003': [() => { tell({ type: 'turn.failed', error: { message: 'the stream broke' } }); process.exit(1); }],
  'US-004': [() => say('Which database is meant?\\nResult: blocked')],
  'US-005': [() => process.kill(process.pid, 'SIGKILL'), () => say('The tests still fail.\\nResult: failed')],
};
tell({ type: 'thread.started', thread_id: 'T-' + id });
tell({ type: 'turn.started' });
process.stderr.write('worker for ' + id + ', try ' + turn + '\\n');
const act = acts[id]?.[turn - 1];
if (process.env.LEAVE && turn === 1) git('checkout', '-q', '-b', process.env.LEAVE);
if (process.env.HOLD && turn === 1) {
  if (process.env.HOLD === 'passed') pass();
  setInterval(() => undefined, 1000);
} else {
  (act ?? pass)();
  done();
}
`;

const ids = ['US-001', 'US-002', 'US-003', 'US-004', 'US-005'];
const plan = (stories: readonly string[]) =>
  JSON.stringify(
    {
      project: 'Test',
      branchName: 'ralph/test',
      userStories: stories.map((id, index) => ({
        id,
        title: `Story ${id}`,
        description: '',
        acceptanceCriteria: [],
        notes: 'kept',
        priority: index + 1,
        passes: false,
      })),
    },
    null,
    2,
  );

function project(dataDir: string, stories: readonly string[], env: Record<string, string> = {}): string {
  const worker = join(dataDir, 'worker.cjs');
  writeFileSync(worker, WORKER);
  chmodSync(worker, 0o755);
  const profile = {
    kind: 'cli',
    id: 'worker',
    name: 'Worker',
    command: worker,
    preset: 'codex-exec',
    env: { TRIES: join(dataDir, 'tries.json'), ...env },
  };
  return makeProject({
    '.muster/agents.yaml': JSON.stringify({ profiles: [profile] }),
    'prd.json': plan(stories),
  });
}

const stateOf = async (cli: Cli): Promise<RunState> =>
  (await cli.document<{ state: RunState }>('show', '1')).state;

/** All updates of the run, as sent. */
async function updates(cli: Cli): Promise<string[]> {
  const { out } = await cli.run('show', '1', '--events', '--json');
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event)
    .filter((event) => event.type === 'update.posted')
    .map((event) => event.text);
}
const heads = (texts: readonly string[]): string[] =>
  texts.map((text) => {
    const [iteration = '', story = '', result = ''] = text.split('\n');
    return `${iteration.replace('Iteration ', '')} ${story.slice('Story: '.length, 13)} ${result.replace('Result: ', '')}`;
  });

test('a worker that commits on a branch of its own is reported, and its work there does not count', async ({
  cli,
}) => {
  const folder = project(cli.dataDir, ['US-001'], { LEAVE: 'fix/x' });
  expect(await cli.run('ralph', folder, '--worker', 'worker', '--iterations', '3')).toMatchObject({
    code: 0,
  });
  const told = await updates(cli);
  expect(heads(told)).toEqual(['1/3 US-001 no-op', '2/3 US-001 completed']);
  expect(told[0]).toContain(
    'Commit: none\nSummary: Its worker left the branch ralph/test for fix/x. It committed ',
  );
  const path = (await stateOf(cli)).workspace?.path ?? '';
  expect(
    execFileSync('git', ['log', '--format=%s', '-2', 'ralph/test'], { cwd: path, encoding: 'utf8' }),
  ).toMatch(/^feat: \[US-001\] - work\n(?!feat)/);
});

test('a loop of five stories reports: completed, no-op, failed then completed, blocked then continued, crashed and failed twice', async ({
  cli,
}) => {
  const folder = project(cli.dataDir, ids);
  const first = await cli.run('ralph', folder, '--worker', 'worker', '--iterations', '9', '--no-wait');
  expect([first.code, first.err]).toEqual([6, '']);
  expect(first.out).toContain('Story: US-001 - Story US-001');
  const blocked = ['1/9 US-001 completed', '2/9 US-002 no-op', '3/9 US-002 completed'];
  const retried = ['4/9 US-003 failed', '4/9 (retry 1) US-003 completed', '5/9 US-004 blocked'];
  expect(heads(await updates(cli))).toEqual([...blocked, ...retried]);

  const continued = await cli.run('approve', '1', '--text', 'The local one.');
  // A loop that failed twice has failed, although its question is still open.
  expect(continued.code).toBe(1);
  const ended = ['6/9 US-004 completed', '7/9 US-005 failed', '7/9 (retry 1) US-005 failed'];
  const all = await updates(cli);
  expect(heads(all)).toEqual([...blocked, ...retried, ...ended]);
  expect(all[7]).toContain('Summary: (no final message; signal SIGKILL');
  expect(all[8]).toContain('Summary: Second failure, loop stopped. The tests still fail.');

  expect(await cli.run('approve', '1')).toMatchObject({ code: 0 });
  const last = await updates(cli);
  expect(heads(last).at(-1)).toBe('8/9 US-005 completed');
  for (const text of last)
    expect(text).toMatch(
      /^Iteration \d+\/9( \(retry 1\))?\nStory: US-00\d - Story US-00\d\nResult: (completed|blocked|failed|no-op)\nCommit: ([0-9a-f]{7,}|none)\nSummary: .+(\n.+){0,2}$/,
    );

  const state = await stateOf(cli);
  const path = state.workspace?.path ?? '';
  expect(state.loops[1]?.branch).toBe('ralph/test');
  const logs = (name: string) => readFileSync(join(path, 'logs', name), 'utf8');
  expect(logs('codex-iteration-1-last-message.txt')).toContain('Implemented US-001.');
  expect(logs('codex-iteration-1.jsonl').split('\n')[0]).toBe(
    '{"type":"thread.started","thread_id":"T-US-001"}',
  );
  expect(logs('codex-iteration-4-attempt-1-stderr.log')).toBe('worker for US-003, try 1\n');
  expect(logs('codex-iteration-4-stderr.log')).toBe('worker for US-003, try 2\n');
  expect(existsSync(join(path, 'logs', 'codex-iteration-4-attempt-1-last-message.txt'))).toBe(false);
  const sessions = new Set(Object.values(state.turns).map((turn) => turn.sessionId));
  expect(sessions.size).toBe(state.loops[1]?.attempts.length);
  // The plan in the operator's own checkout is unchanged.
  expect(readFileSync(join(folder, 'prd.json'), 'utf8')).toBe(plan(ids));
});

test('a loop killed in mid-attempt has one update for each attempt, and goes on', async ({ cli }) => {
  const folder = project(cli.dataDir, ['US-001'], { HOLD: 'yes' });
  const run = cli.start('ralph', folder, '--worker', 'worker');
  await expect.poll(() => existsSync(join(cli.dataDir, 'tries.json'))).toBe(true);
  run.child.kill('SIGKILL');
  await run.done;
  const resumed = await cli.run('resume', '1');
  expect([resumed.code, resumed.err]).toEqual([0, '']);
  const texts = await updates(cli);
  expect(heads(texts)).toEqual(['1/10 US-001 failed', '1/10 (retry 1) US-001 completed']);
  expect(texts[0]).toContain('Summary: The attempt was interrupted.');
});

test('an attempt killed after its work and before its worker ended is completed by the evidence', async ({
  cli,
}) => {
  const folder = project(cli.dataDir, ['US-001'], { HOLD: 'passed' });
  const run = cli.start('ralph', folder, '--worker', 'worker');
  await expect
    .poll(async () => {
      const { path = '' } = (await stateOf(cli).catch(() => null))?.workspace ?? {};
      const file = join(path, 'logs', 'codex-iteration-1-last-message.txt');
      return path !== '' && existsSync(file) && readFileSync(file, 'utf8') !== '';
    })
    .toBe(true);
  run.child.kill('SIGKILL');
  await run.done;
  expect(await cli.run('resume', '1')).toMatchObject({ code: 0 });
  const texts = await updates(cli);
  expect(heads(texts)).toEqual(['1/10 US-001 completed']);
  expect(texts[0]).toMatch(/Commit: [0-9a-f]{7,}\nSummary: Implemented US-001\.\nAll checks pass\.$/);
});

test('an update whose core is killed before it is posted is posted once, after the restart', async ({
  cli,
}) => {
  const folder = project(cli.dataDir, ['US-001', 'US-002']);
  // Takes git's place and delays the check of the attempt's result, which is the only one that asks for
  // ancestors.
  const bin = join(cli.dataDir, 'bin');
  const reached = join(cli.dataDir, 'reached');
  mkdirSync(bin);
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  const holding = `#!/bin/sh\ncase " $* " in *" merge-base --is-ancestor "*) : > "${reached}"; while [ -e "${reached}" ]; do sleep 0.05; done;; esac\nexec ${real} "$@"\n`;
  writeFileSync(join(bin, 'git'), holding, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env.PATH}` };
  const run = cli.startIn(env, 'ralph', folder, '--worker', 'worker', '--iterations', '3');
  await expect.poll(() => existsSync(reached), { timeout: 120_000 }).toBe(true);
  run.child.kill('SIGKILL');
  await run.done;
  rmSync(reached);
  const cut = (await stateOf(cli)).loops[1]?.attempts ?? [];
  expect(cut.map(({ end, judged }) => [end?.how, judged])).toEqual([['answered', null]]);
  expect(await updates(cli)).toEqual([]);
  expect(await cli.run('resume', '1')).toMatchObject({ code: 0 });
  const texts = await updates(cli);
  expect(heads(texts)).toEqual(['1/3 US-001 completed', '2/3 US-002 no-op', '3/3 US-002 completed']);
  expect(texts[0]).toMatch(/Commit: [0-9a-f]{7,}\nSummary: Implemented US-001\.\nAll checks pass\.$/);
});

test('a loop with another agent as worker has its three logs written by Muster', async ({ cli }) => {
  const script = [
    'default:',
    '  do:',
    `    - wait_for_file: ${cli.dataDir}/go`,
    '    - run: { command: "sed -i s/false/true/ prd.json && git add -A && git -c user.name=W -c user.email=w@x.org commit -qm US-001" }',
    '  text: "I did it.\\nResult: completed"',
    '',
  ].join('\n');
  const folder = makeProject({
    '.muster/agents.yaml':
      'profiles:\n  - {kind: scripted, id: worker, name: Worker, script: .muster/worker.yaml}\n',
    '.muster/worker.yaml': script,
    'prd.json': plan(['US-001']),
  });
  letGo(cli.dataDir);
  const run = await cli.run('ralph', folder, '--worker', 'worker');
  expect([run.code, run.err]).toEqual([0, '']);
  const state = await stateOf(cli);
  const log = (name: string) =>
    readFileSync(join(state.workspace?.path ?? '', 'logs', `codex-iteration-1${name}`), 'utf8');
  expect(log('-last-message.txt')).toContain('I did it.');
  expect(log('.jsonl')).toContain('"type":"tool"');
  expect(log('-stderr.log')).toBe('');
});

test('a fault of a loop is reported before it begins', async ({ cli }) => {
  const folder = project(cli.dataDir, ['US-001']);
  expect(await cli.run('ralph', join(folder, 'none'))).toMatchObject({ code: 2 });
  expect(await cli.run('ralph', folder)).toMatchObject({ code: 2, err: expect.stringContaining('--worker') });
  expect(await cli.run('ralph', folder, '--worker', 'worker', '--iterations', 'x')).toMatchObject({
    code: 2,
  });
  // Without a permission setting the worker runs in its sandbox. If it must ask, for everything or for each
  // write, the loop does not start.
  const here = await cli.run('ralph', folder, '--worker', 'worker', '--here');
  expect([here.code, here.err]).toEqual([3, expect.stringContaining('let the loop work in a worktree')]);
  const agents = join(folder, '.muster/agents.yaml');
  const { profiles } = JSON.parse(readFileSync(agents, 'utf8'));
  writeFileSync(agents, JSON.stringify({ profiles: [{ ...profiles[0], permissions: 'ask' }] }));
  const asks = await cli.run('ralph', folder, '--worker', 'worker');
  expect([asks.code, asks.err]).toEqual([3, expect.stringContaining('to allow_edits')]);
  const other = makeProject({
    '.muster/agents.yaml': readFileSync(join(folder, '.muster/agents.yaml'), 'utf8'),
    'prd.json': '{"branchName": "ralph/x", "userStories": [{"id": "A", "passes": 1}, {"id": "A"}]}',
  });
  const broken = await cli.run('ralph', other, '--worker', 'worker');
  expect(broken.code).toBe(3);
  for (const problem of ['userStories[0].passes is not true or false', 'userStories[1].id: another story'])
    expect(broken.err).toContain(problem);
});

/** As in the repository of seed 004: one worker after another, three logs each, and nothing of Muster. */
const RALPH = `#!/bin/bash
MAX_ITERATIONS=\${1:-10}
mkdir -p logs
for i in $(seq 1 "$MAX_ITERATIONS"); do
  while [ ! -e "$GO$i" ]; do sleep 0.05; done
  PROMPT="Your story: US-00$(( i > 2 ? i - 1 : i )) - x"
  "$WORKER" exec --json --output-last-message "logs/codex-iteration-$i-last-message.txt" "$PROMPT" \\
    > "logs/codex-iteration-$i.jsonl" 2> "logs/codex-iteration-$i-stderr.log" || true
done
`;

/** Starts a foreign ralph.sh, whose iterations each wait for a file, and lets Muster watch it. */
async function watched(cli: Cli, goes: string) {
  const folder = project(cli.dataDir, ['US-001', 'US-002', 'US-003', 'US-004']);
  writeFileSync(join(folder, 'ralph.sh'), RALPH);
  const env = {
    ...process.env,
    TRIES: join(cli.dataDir, 'tries.json'),
    WORKER: join(cli.dataDir, 'worker.cjs'),
  };
  const script = spawn('bash', ['ralph.sh', '4'], { cwd: folder, env: { ...env, GO: join(goes, 'go') } });
  const gone = new Promise((resolve) => script.once('exit', resolve));
  const watch = cli.start('ralph', folder, '--watch');
  await expect.poll(watch.out).toContain(`is run by process ${script.pid} (ralph.sh)`);
  return { folder, script, gone, watch };
}

test('attempts that follow each other at once have updates with their own story, commit and message', async ({
  cli,
  bench,
}) => {
  const { folder, watch } = await watched(cli, bench.dataDir);
  for (const n of [4, 3, 2, 1]) letGo(bench.dataDir, `go${n}`);
  expect((await watch.done).code).toBe(1);
  const texts = await updates(cli);
  expect(heads(texts)).toEqual([
    '1/4 US-001 completed',
    '2/4 unknow no-op',
    '3/4 US-002 completed',
    '4/4 unknow failed',
  ]);
  const log = execFileSync('git', ['log', '--format=%h %s'], { cwd: folder, encoding: 'utf8' });
  const hash = (id: string) =>
    log
      .split('\n')
      .find((line) => line.includes(`[${id}]`))
      ?.split(' ')[0];
  const commits = texts.map((text) => /^Commit: (.*)$/m.exec(text)?.[1]);
  expect(commits).toEqual([hash('US-001'), 'none', hash('US-002'), 'none']);
  expect(texts.join('\n')).not.toContain('cannot be told');
});

test('a ralph.sh that someone else started is watched with the same updates, and nothing is changed', async ({
  cli,
  bench,
}) => {
  const { folder, script, gone, watch } = await watched(cli, bench.dataDir);
  const told = async (count: number) => {
    await expect
      .poll(async () => (await updates(cli).catch(() => [])).length, { timeout: 120_000 })
      .toBe(count);
  };
  for (const n of [1, 2, 3, 4]) {
    letGo(bench.dataDir, `go${n}`);
    if (n < 4) await told(n);
  }
  await gone;
  expect((await watch.done).code).toBe(1);
  const texts = await updates(cli);
  expect(heads(texts)).toEqual([
    '1/4 US-001 completed',
    // Nothing that this worker left names a story, and Muster did not assign one.
    '2/4 unknow no-op',
    '3/4 US-002 completed',
    '4/4 unknow failed',
  ]);
  expect(texts[0]).toMatch(/Commit: [0-9a-f]{7,}\nSummary: Implemented US-001\.\nAll checks pass\.$/);
  expect(texts[3]).toContain('Summary: (no final message; the stream broke)');
  expect((await stateOf(cli)).activations[1]?.error?.message).toContain(
    `process ${script.pid} (ralph.sh) has ended`,
  );
  expect(existsSync(join(folder, '.last-branch'))).toBe(false);
});
