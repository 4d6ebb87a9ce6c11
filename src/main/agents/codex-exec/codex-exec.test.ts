import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodexTally } from '@areas/agents/contract/codex/facts';
import { type AgentProfile, agentProfileSchema } from '@areas/agents/contract/profile';
import type { TranscriptItem } from '@areas/sessions/contract/session';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeLogFiles } from '../../adapters/log-files';
import { GuardedProcesses } from '../../adapters/process';
import { nodeFiles } from '../../adapters/process/files';
import { guards } from '../../adapters/process/testing/guards';
import type { SessionSpec } from '../../core/ports/ports';
import { agentPresets } from '../presets';
import { createCodexExecAgent } from './index';

/**
 * A program that behaves like `codex exec --json`: writes its arguments to a file, then prints what the
 * script says.
 */
const FAKE = `#!/bin/sh
printf '%s\\n' "$@" > args.txt
for last; do :; done
[ "$last" = - ] && cat > input.txt
while [ $# -gt 0 ]; do [ "$1" = --output-last-message ] && out="$2"; shift; done
. ./script.sh
`;

const NOW = new Date(2026, 10, 22, 23, 0).getTime();

class Stage {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'muster-codex-')));
  readonly cwd = join(this.root, 'work');
  readonly items: TranscriptItem[] = [];
  readonly processes = new GuardedProcesses({
    dataDir: join(this.root, 'data'),
    instanceId: 'test',
    environment: process.env,
    runtime: { execPath: process.execPath, env: {} },
    askLoginShell: false,
  });

  constructor(script: string) {
    mkdirSync(join(this.root, 'data'));
    mkdirSync(this.cwd);
    writeFileSync(join(this.root, 'codex'), FAKE);
    chmodSync(join(this.root, 'codex'), 0o755);
    this.script(script);
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }));
  }

  script(text: string): void {
    writeFileSync(join(this.cwd, 'script.sh'), text);
  }

  async open(profile: Record<string, unknown> = {}, spec: Partial<SessionSpec> = {}) {
    const made: AgentProfile = agentProfileSchema.parse({
      kind: 'cli',
      id: 'codex-exec',
      name: 'Codex',
      preset: 'codex-exec',
      permissions: 'allow_edits',
      command: join(this.root, 'codex'),
      ...profile,
    });
    const clock = { now: () => NOW };
    return createCodexExecAgent({
      processes: this.processes,
      logFiles: nodeLogFiles,
      files: nodeFiles,
      clock,
    }).open(
      {
        runId: 1,
        sessionId: 1,
        key: 'U/s1',
        model: null,
        mode: null,
        resume: null,
        cwd: this.cwd,
        projectPath: this.cwd,
        artifactsDir: join(this.root, 'artifacts'),
        env: { MUSTER_LOOP_LOG: 'logs/codex-iteration-2' },
        profile: made,
        ...spec,
      },
      {
        items: (_turn, items) => void this.items.push(...items),
        permission: async () => ({ allow: false, always: false, reason: null }),
        lost: () => undefined,
      },
    );
  }

  async turn(
    profile: Record<string, unknown> = {},
    { prompt = '- do it', ...spec }: Partial<SessionSpec> & { prompt?: string } = {},
  ) {
    const session = await this.open(profile, spec);
    if (!session.ok) throw new Error(session.error.message);
    return session.value.turn({ turnId: 1, prompt, attachments: [] });
  }

  read = (name: string): string => readFileSync(join(this.cwd, name), 'utf8');
}

const DONE = `
printf '{"type":"thread.started","thread_id":"T1"}\\n{"type":"turn.started"}\\n'
printf '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"Did it."}}\\n'
printf '\\377\\376 no JSON, no UTF-8\\r\\n'
printf '{"type":"turn.completed","usage":{"input_tokens":30,"cached_input_tokens":8,"output_tokens":4}}'
echo noise >&2
echo "From the file. Result: completed" > "$out"
`;

describe('codex exec', () => {
  test('no log of codex exec holds a secret of its profile, and the answer is still whole', async () => {
    const stage = new Stage(`
printf '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"The key is %s."}}\\n' "$MY_KEY"
printf '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'
printf 'it is %s' "$MY_KEY" >&2
echo "The key is $MY_KEY." > "$out"
`);
    const env = { MUSTER_LOOP_LOG: 'logs/run', MY_KEY: 'sk-0123456789' };
    await stage.turn({ secrets: ['MY_KEY'] }, { env });
    expect(stage.read('logs/run.jsonl')).toContain('The key is ***.');
    expect(stage.read('logs/run-stderr.log')).toBe('it is ***');
    expect(stage.read('logs/run-last-message.txt')).toBe('The key is ***.\n');
    for (const name of ['run.jsonl', 'run-stderr.log', 'run-last-message.txt'])
      expect(stage.read(`logs/${name}`)).not.toContain('sk-0123456789');
  });

  test('a turn of codex exec keeps the three logs under the names of the loop, byte for byte', async () => {
    const stage = new Stage(DONE);
    const result = await stage.turn();
    expect(result).toMatchObject({
      outcome: 'completed',
      response: 'From the file. Result: completed\n',
      usage: { input_tokens: 30, output_tokens: 4, total_tokens: 34 },
    });
    const log = readFileSync(join(stage.cwd, 'logs/codex-iteration-2.jsonl'));
    expect(log.includes(Buffer.from([0xff, 0xfe]))).toBe(true);
    expect(log.subarray(-3).toString()).toBe('4}}');
    expect(log.includes('\r\n')).toBe(true);
    expect(stage.read('logs/codex-iteration-2-stderr.log')).toBe('noise\n');
    expect(stage.read('logs/codex-iteration-2-last-message.txt')).toContain('From the file.');
    expect(stage.items).toContainEqual(expect.objectContaining({ type: 'text', text: 'Did it.' }));
  });

  test('a turn of codex exec gets its prompt as one argument that is no option, and no more permissions than the profile has', async () => {
    const stage = new Stage(DONE);
    await stage.turn({ args: ['--ephemeral'], model: 'x' }, { model: 'o9' });
    const args = stage.read('args.txt').trimEnd().split('\n');
    expect(args.slice(0, 2)).toEqual(['exec', '--json']);
    expect(args.slice(-5)).toEqual(['--model', 'o9', '--ephemeral', '--', '- do it']);
    expect(args).toEqual(expect.arrayContaining(['--sandbox', 'workspace-write']));
    const readOnly = new Stage(DONE);
    await readOnly.turn({ read_only: true, permissions: 'allow_all' });
    expect(readOnly.read('args.txt')).toContain('--sandbox\nread-only');
    const all = new Stage(DONE);
    await all.turn({ permissions: 'allow_all' });
    expect(all.read('args.txt')).toContain('--dangerously-bypass-approvals-and-sandbox');
  });

  test("a turn of codex exec may write to the run's folder for files in its sandbox, and not to the logs beside it", async () => {
    const stage = new Stage(DONE);
    await stage.turn();
    const folder = join(stage.root, 'artifacts', 'artifacts');
    expect(stage.read('args.txt')).toContain(
      `-c\nsandbox_workspace_write.writable_roots=${JSON.stringify([folder])}\n`,
    );
  });

  test('a turn of codex exec gets the variables of its run in its environment', async () => {
    const stage = new Stage(`printf %s "$ARTIFACTS_DIR" > env.txt\n${DONE}`);
    await stage.turn({}, { env: { ARTIFACTS_DIR: '/run/files' } });
    expect(stage.read('env.txt')).toBe('/run/files');
  });

  test('a turn of codex exec gets a prompt that no argument can hold whole on standard input', async () => {
    const stage = new Stage(DONE);
    const prompt = `${'Größe — '.repeat(20_000)}\nthe end`;
    expect(await stage.turn({}, { prompt })).toMatchObject({ outcome: 'completed' });
    expect(stage.read('args.txt').endsWith('\n--\n-\n')).toBe(true);
    expect(stage.read('input.txt')).toBe(prompt);
    const dash = new Stage(DONE);
    await dash.turn({}, { prompt: '-' });
    expect(dash.read('input.txt')).toBe('-');
  });

  test('a long prompt to a program that reads none of it ends as the program does', async () => {
    const stage = new Stage(DONE);
    writeFileSync(join(stage.root, 'codex'), '#!/bin/sh\necho "no config" >&2\nexit 2\n');
    const prompt = 'x'.repeat(4_000_000);
    expect(await stage.turn({}, { prompt })).toMatchObject({
      outcome: 'failed',
      error: { message: 'exit 2: no config' },
    });
  });

  test('a turn of codex exec works without settings, in the sandbox workspace-write', async () => {
    const stage = new Stage(DONE);
    const found = agentPresets.find(({ id }) => id === 'codex-exec')?.profile(join(stage.root, 'codex'));
    expect(await stage.turn({ ...found })).toMatchObject({ outcome: 'completed' });
    expect(stage.read('args.txt')).toContain('--sandbox\nworkspace-write');
  });

  test('a profile of codex exec that must be asked is refused: it cannot ask', async () => {
    const opened = await new Stage(DONE).open({ permissions: 'ask' });
    const mend = (text: string) => ({
      ok: false,
      error: { code: 'agent.refused', mend: expect.stringContaining(text) },
    });
    expect(opened).toMatchObject(mend('in a worktree'));
    const elsewhere = await new Stage(DONE).open({ permissions: 'ask' }, { projectPath: '/project' });
    expect(elsewhere).toMatchObject(mend('set its permissions to allow_edits'));
    const gone = await new Stage(DONE).open({ command: 'codex-that-is-not-there' });
    expect(gone).toMatchObject({ ok: false, error: { code: 'agent.not_installed' } });
  });

  test('a turn of codex exec goes on with its thread, in another turn and in another process, and usage is a running total', async () => {
    const stage = new Stage(DONE);
    const session = await stage.open();
    if (!session.ok) throw new Error('not opened');
    await session.value.turn({ turnId: 1, prompt: 'one', attachments: [] });
    stage.script(
      DONE.replace(/"input_tokens":30.*4/, '"input_tokens":50,"cached_input_tokens":20,"output_tokens":9'),
    );
    const second = await session.value.turn({ turnId: 2, prompt: 'two', attachments: [], aside: true });
    expect(second.usage).toMatchObject({ input_tokens: 20, cached_input_tokens: 12, output_tokens: 5 });
    expect(stage.read('args.txt')).toContain('resume\nT1\n--\ntwo');
    // The operator's later prompts are not in the attempt's logs.
    expect(existsSync(join(stage.root, 'artifacts/sessions/s1-t2.jsonl'))).toBe(true);
    const before = stage.read('logs/codex-iteration-2.jsonl');
    await stage.turn({}, { resume: { providerSessionId: null, turns: [] } });
    expect(stage.read('args.txt')).toContain('resume\nT1');
    expect(stage.read('logs/codex-iteration-2.jsonl').startsWith(before)).toBe(true);
  });
});

test('a prompt that is sent again after a limit goes on in the logs of its attempt, which say how it ended', async () => {
  const stage = new Stage(
    `echo '{"type":"turn.failed","error":{"message":"You have hit your usage limit"}}'; exit 1`,
  );
  const session = await stage.open();
  if (!session.ok) throw new Error('not opened');
  const prompt = { prompt: 'one', attachments: [] };
  expect(await session.value.turn({ turnId: 1, ...prompt })).toMatchObject({ outcome: 'limit' });
  stage.script(DONE);
  expect(await session.value.turn({ turnId: 2, ...prompt })).toMatchObject({ outcome: 'completed' });
  const tally = new CodexTally();
  for (const line of stage.read('logs/codex-iteration-2.jsonl').split('\n')) tally.line(line);
  expect(tally.result()).toMatchObject({ terminal: 'completed', error: null, message: 'Did it.' });
  expect(stage.read('logs/codex-iteration-2.jsonl')).toContain('turn.failed');
  expect(stage.read('logs/codex-iteration-2-last-message.txt')).toContain('From the file.');
});

describe('how a turn ends', () => {
  const rows: readonly [string, string, object][] = [
    [
      'exit 1 after turn.failed',
      `echo '{"type":"turn.failed","error":{"message":"boom"}}'; exit 1`,
      { outcome: 'failed', error: { code: 'agent.failed', message: 'exit 1: boom' } },
    ],
    [
      'turn.failed with exit 0',
      `echo '{"type":"turn.failed","error":{"message":"boom"}}'`,
      { outcome: 'failed' },
    ],
    [
      'exit 0 without a terminal event',
      `echo '{"type":"turn.started"}'`,
      { outcome: 'failed', error: { message: 'exit 0: it ended without ending its turn' } },
    ],
    [
      'killed',
      `echo '{"type":"turn.started"}'; kill -9 $$`,
      { outcome: 'failed', stopReason: 'signal SIGKILL' },
    ],
    [
      'stderr only',
      `echo 'no config' >&2; exit 2`,
      { outcome: 'failed', error: { message: 'exit 2: no config' } },
    ],
    [
      'a limit',
      `echo '{"type":"turn.failed","error":{"message":"You have hit your usage limit"}}'; exit 1`,
      { outcome: 'limit', limitResetsAt: null },
    ],
    [
      'a limit that says when it ends',
      `echo '{"type":"turn.failed","error":{"message":"You hit your usage limit. Upgrade, or try again at Nov 23rd, 2026 3:05 AM."}}'; exit 1`,
      { outcome: 'limit', limitResetsAt: new Date(2026, 10, 23, 3, 5).getTime() },
    ],
    [
      'a limit that ends the same night',
      `echo '{"type":"turn.failed","error":{"message":"You hit your usage limit. Upgrade, or try again at 11:40 PM."}}'; exit 1`,
      { outcome: 'limit', limitResetsAt: new Date(2026, 10, 22, 23, 40).getTime() },
    ],
    [
      'no login',
      `echo '{"type":"turn.failed","error":{"message":"401 Unauthorized"}}'; exit 1`,
      {
        error: {
          code: 'agent.auth_required',
          mend: 'Log in with: codex login, or set a valid key; then try again.',
        },
      },
    ],
    [
      'a login that has expired meanwhile',
      `echo '{"type":"turn.failed","error":{"message":"Your access token could not be refreshed because your refresh token was already used. Please log out and sign in again."}}'; exit 1`,
      { error: { code: 'agent.auth_required', mend: 'Log in with: codex login' } },
    ],
    [
      'exit 1 after a clean end',
      `echo '{"type":"turn.completed"}'; exit 1`,
      { outcome: 'failed', stopReason: 'exit 1' },
    ],
  ];
  test.each(rows)('a turn of codex exec ends with %s', async (_name, script, wanted) => {
    expect(await new Stage(script).turn()).toMatchObject(wanted);
  });

  test('a cancelled turn of codex exec ends its group, and its text stays', async () => {
    const stage = new Stage(
      `echo '{"type":"item.completed","item":{"type":"agent_message","text":"so far"}}'; touch up; sleep 90`,
    );
    const session = await stage.open();
    if (!session.ok) throw new Error('not opened');
    const turn = session.value.turn({ turnId: 1, prompt: 'x', attachments: [] });
    await expect.poll(() => stage.items.length).toBeGreaterThan(0);
    await session.value.cancel();
    expect(await turn).toMatchObject({ outcome: 'cancelled', response: 'so far' });
  });

  test('a turn of codex exec whose logs cannot be written fails', async () => {
    const stage = new Stage(DONE);
    writeFileSync(join(stage.cwd, 'logs'), 'a file');
    expect(await stage.turn()).toMatchObject({ outcome: 'failed', stopReason: 'logs' });
  });
});

test.skipIf(process.platform !== 'linux')(
  'a turn whose guard is killed is interrupted, with what was said until then',
  async () => {
    const stage = new Stage(`${DONE.split('\n').slice(0, 3).join('\n')}\nsleep 60\n`);
    const turn = stage.turn();
    await expect.poll(() => stage.items.some(({ type }) => type === 'text'), { timeout: 120_000 }).toBe(true);
    process.kill(guards()[0] ?? 0, 'SIGKILL');
    expect(await turn).toMatchObject({
      outcome: 'failed',
      interrupted: "Muster's guard process of the agent died",
      response: 'Did it.',
      error: { code: 'unavailable' },
    });
  },
  30_000,
);
