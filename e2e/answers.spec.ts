import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import type { Cli, Started } from './fixtures/cli';
import { makeProject } from './fixtures/project';
import { expect, test } from './fixtures/test';

/** Replaces `codex exec --json`: asks before its first story, then follows the answer. */
const WORKER = `#!/usr/bin/env node
const { execFileSync } = require('node:child_process');
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
const prompt = args.at(-1);
const out = args[args.indexOf('--output-last-message') + 1];
const tell = (event) => process.stdout.write(JSON.stringify(event) + '\\n');
const say = (text) => {
  tell({ type: 'item.completed', item: { id: '1', type: 'agent_message', text } });
  writeFileSync(out, text);
};
const git = (...words) => execFileSync('git', ['-c', 'user.name=W', '-c', 'user.email=w@example.org', ...words]);
appendFileSync(process.env.PROMPTS, JSON.stringify(prompt) + '\\n');
tell({ type: 'thread.started', thread_id: 'T' });
tell({ type: 'turn.started' });
if (prompt.includes('The local one.')) {
  writeFileSync('prd.json', readFileSync('prd.json', 'utf8').replace('false', 'true'));
  git('commit', '-qam', 'feat: [US-001] - work');
  say('Used the local one.\\nResult: completed');
} else say('Which database is meant?\\nResult: blocked');
tell({ type: 'turn.completed', usage: { input_tokens: 100, output_tokens: 10 } });
`;

function makeLoop(dataDir: string): string {
  const worker = join(dataDir, 'worker.cjs');
  writeFileSync(worker, WORKER);
  chmodSync(worker, 0o755);
  const profile = {
    kind: 'cli',
    id: 'worker',
    name: 'Worker',
    command: worker,
    preset: 'codex-exec',
    env: { PROMPTS: join(dataDir, 'prompts') },
  };
  const story = { id: 'US-001', title: 'Database', description: '', acceptanceCriteria: [], notes: '' };
  return makeProject({
    '.muster/agents.yaml': JSON.stringify({ profiles: [profile] }),
    'prd.json': JSON.stringify({
      project: 'Test',
      branchName: 'ralph/test',
      userStories: [{ ...story, priority: 1, passes: false }],
    }),
  });
}

interface Delivered {
  readonly kind: string;
  readonly key: string;
  readonly text: string;
  readonly question?: {
    readonly gate: string;
    readonly answer: { readonly url: string; readonly token: string; readonly options: string[] } | null;
  };
}

/** A webhook that records its requests. */
async function webhook() {
  const got: Delivered[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    got.push(JSON.parse(body));
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/`, got, close };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function serve(cli: Cli): Promise<Started> {
  const host = cli.start('serve');
  await expect.poll(async () => (await cli.run('status')).out).toContain(String(host.child.pid));
  return host;
}

async function post(url: string, body: object): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

test('a blocked loop asks a webhook, which answers: the loop goes on, also when the core is killed between', async ({
  cli,
}) => {
  const hook = await webhook();
  try {
    await cli.run('api', '--on', '--port', String(await freePort()));
    const added = await cli.run('targets', 'add', 'phone', '--name', 'Phone', '--webhook', hook.url);
    expect([added.code, added.err]).toEqual([0, '']);
    const first = await serve(cli);
    const begun = await cli.run('ralph', makeLoop(cli.dataDir), '--worker', 'worker', '--no-wait');
    // It waits at its question.
    expect(begun.code).toBe(6);
    const question = () => hook.got.find(({ kind }) => kind === 'question');
    await expect.poll(question, { timeout: 120_000 }).toBeDefined();
    expect(hook.got.map(({ kind }) => kind)).toEqual(['update', 'question']);
    expect(question()?.text).toContain('needs your answer: blocked at US-001');
    expect(question()?.text).toContain('Story: US-001 - Database');
    const answer = question()?.question?.answer ?? null;
    if (answer === null) throw new Error('no token');
    expect(answer.options).toEqual(['continue', 'skip', 'stop']);
    const given = { token: answer.token, option: 'continue', text: 'The local one.' };

    expect(await post(answer.url, { ...given, token: `${answer.token}x` })).toMatchObject({ status: 401 });
    expect(await post(answer.url, { ...given, option: 'allow' })).toMatchObject({ status: 422 });
    const taken = await post(answer.url, given);
    expect(taken).toMatchObject({
      status: 200,
      body: { gate: question()?.question?.gate, label: 'Continue', by: 'Phone (delivery target)' },
    });
    // The reply might have been lost: a repeated request gets the same answer from another core.
    first.child.kill('SIGKILL');
    await first.done;
    await serve(cli);
    expect(await post(answer.url, given)).toEqual(taken);
    expect(await post(answer.url, { ...given, option: 'stop' })).toMatchObject({ status: 409 });

    await expect
      .poll(() => hook.got.find(({ kind }) => kind === 'end')?.text ?? '', { timeout: 120_000 })
      .toMatch(/has succeeded\.\n.*\n1 of 1 story done/);
    const { state } = await cli.document<{ state: RunState }>('show', '1');
    expect(state.gates[1]).toMatchObject({
      status: 'resolved',
      answer: { option: 'continue', text: 'The local one.' },
      by: 'Phone (delivery target)',
    });
    expect(readFileSync(join(cli.dataDir, 'prompts'), 'utf8').trimEnd().split('\n').at(-1)).toContain(
      'The local one.',
    );

    // The key and the token are stored only in the key's own file.
    expect(statSync(join(cli.dataDir, 'answer-key')).mode & 0o777).toBe(0o600);
    const key = readFileSync(join(cli.dataDir, 'answer-key'), 'utf8').trim();
    const exported = join(cli.dataDir, 'run.jsonl');
    await cli.run('export', '1', exported);
    const databases = readdirSync(cli.dataDir).filter((name) => /\.db(-wal)?$/.test(name));
    expect(databases).not.toEqual([]);
    for (const file of [exported, ...databases.map((name) => join(cli.dataDir, name))]) {
      const bytes = readFileSync(file);
      expect([file, bytes.includes(key), bytes.includes(answer.token)]).toEqual([file, false, false]);
    }
  } finally {
    hook.close();
  }
});

test('a target that may not answer gets the question without a token', async ({ cli }) => {
  const hook = await webhook();
  try {
    await cli.run('api', '--on');
    const flags = ['--webhook', hook.url, '--sends', 'questions,ends', '--answers', 'none'];
    expect(await cli.run('targets', 'add', 'phone', ...flags)).toMatchObject({ code: 0 });
    const loop = makeLoop(cli.dataDir);
    expect(await cli.run('ralph', loop, '--worker', 'worker', '--no-wait')).toMatchObject({ code: 6 });
    await cli.run('reject', '1', '--reason', 'enough');
    await expect.poll(() => hook.got.map(({ kind }) => kind)).toEqual(['question', 'end']);
    expect(hook.got[0]?.question?.answer).toBeNull();
    expect(hook.got[1]?.text).toContain('was stopped');
  } finally {
    hook.close();
  }
});
