import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { GuardedProcesses } from '@main/adapters/process';
import { createClock } from '@main/adapters/system/clock';
import { createGatewayAgent } from '@main/agents/gateway';
import { createOpenclawAgent } from '@main/agents/openclaw';
import { FakeGateway } from '@main/agents/openclaw/testing/fake-gateway';
import type { AgentPort, Clock, Session, SessionSpec, TurnResult } from '@main/core/ports/ports';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startModelServer } from '../../../../e2e/fixtures/model-server';
import { type AgentProfile, agentProfileSchema } from '../contract/profile';
import { createAgentFinder } from './agent-finder';
import type { FinderPreset } from './agent-finder-parts';

let home: string;
let processes: GuardedProcesses;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'muster-finder-'));
  await mkdir(join(home, 'bin'));
  processes = new GuardedProcesses({
    dataDir: join(home, 'data'),
    instanceId: 'test',
    environment: { PATH: `${join(home, 'bin')}:/usr/bin:/bin`, HOME: home },
    runtime: { execPath: process.execPath, env: {} },
    askLoginShell: false,
  });
});

afterEach(async () => {
  await processes.endAll();
  await rm(home, { recursive: true, force: true });
});

async function program(name: string, script: string): Promise<void> {
  const path = join(home, 'bin', name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

const acpProfile = (id: string, command: string): AgentProfile =>
  agentProfileSchema.parse({ kind: 'acp', id, name: id, command });

const preset = (id: string, programs = [id]): FinderPreset => ({
  id,
  name: id,
  programs,
  versionArgs: ['--version'],
  install: `get ${id}`,
  profile: (command) => acpProfile(id, command),
});

interface Made {
  readonly agents?: Partial<Record<AgentProfile['kind'], AgentPort>>;
  readonly presets?: readonly FinderPreset[];
  readonly secrets?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
}

function finder({ agents = {}, presets = [], secrets = {}, clock = createClock() }: Made) {
  const ports = Object.values(agents).map((port) => [port.kind, port] as const);
  const secret = (name: string) => secrets[name] ?? null;
  return createAgentFinder({ presets, processes, agents: new Map(ports), clock, secret, tempDir: home });
}

test('programs are detected with their versions, by their package or by asking', async () => {
  const pkg = join(home, 'lib', 'packaged');
  await mkdir(join(pkg, 'dist'), { recursive: true });
  await writeFile(
    join(pkg, 'package.json'),
    JSON.stringify({ version: '4.5.6', bin: { packaged: 'dist/cli.js' } }),
  );
  await writeFile(join(pkg, 'dist', 'cli.js'), '#!/bin/sh\necho ran >> "$HOME/ran"\n', { mode: 0o755 });
  await symlink(join(pkg, 'dist', 'cli.js'), join(home, 'bin', 'packaged'));
  await program('talking', 'echo "talking version v1.2.3-beta.1 ($1)"');
  await program('former', 'exit 3');
  const presets = [
    preset('packaged'),
    preset('talking'),
    preset('renamed', ['present', 'former']),
    preset('none'),
  ];
  const detected = await finder({ presets }).detect();
  expect(detected.map(({ id, found, version, install }) => [id, found, version, install])).toEqual([
    ['packaged', true, '4.5.6', 'get packaged'],
    ['talking', true, '1.2.3-beta.1', 'get talking'],
    ['renamed', true, null, 'get renamed'],
    ['none', false, null, 'get none'],
  ]);
  expect(detected.map(({ path }) => path)).toEqual([
    join(home, 'bin', 'packaged'),
    join(home, 'bin', 'talking'),
    join(home, 'bin', 'former'),
    null,
  ]);
  expect(detected[2]?.profile).toMatchObject({ id: 'renamed', command: 'former' });
  // The version of a package is read, not asked for.
  expect(await readdir(home)).not.toContain('ran');
});

test('the version of an adapter is labelled, and shown beside that of its agent', async () => {
  await program('adapter', '[ "$1" = --own ] && echo 2.1.3 || echo 0.100.0');
  const adapter = { ...preset('adapter'), name: 'Claude Code' };
  const presets = [
    { ...adapter, adapts: { versionArgs: ['--own'] } },
    { ...adapter, adapts: { versionArgs: null } },
  ];
  const detected = await finder({ presets }).detect();
  expect(detected.map(({ version }) => version)).toEqual([
    'Claude Code 2.1.3, adapter 0.100.0',
    'adapter 0.100.0',
  ]);
});

test('a program that never tells its version is ended', async () => {
  await program('hanging', 'echo $$ > "$HOME/pid"; exec sleep 60');
  const clock = createClock();
  const hurried: Clock = { now: clock.now, at: (at, run) => clock.at(at - 4500, run) };
  const finding = finder({ presets: [preset('hanging')], clock: hurried });
  const [first, second] = await Promise.all([finding.detect(), finding.detect()]);
  expect(first).toBe(second);
  expect(first).toMatchObject([{ found: true, version: null }]);
  const pid = Number(await readFile(join(home, 'pid'), 'utf8'));
  expect(() => process.kill(pid, 0)).toThrow();
});

interface Fake {
  readonly port: AgentPort;
  readonly specs: SessionSpec[];
  readonly prompts: string[];
  closed: number;
}

function fakeAgent(how: { open?: () => Promise<Result<Session>>; turn?: Partial<TurnResult> } = {}): Fake {
  const turn: TurnResult = {
    outcome: 'completed',
    stopReason: 'end_turn',
    response: 'ready.',
    usage: null,
    error: null,
    limitResetsAt: null,
    ...how.turn,
  };
  const fake: Fake = {
    specs: [],
    prompts: [],
    closed: 0,
    port: {
      kind: 'acp',
      async open(spec) {
        fake.specs.push(spec);
        return how.open?.() ?? ok(session);
      },
    },
  };
  const session: Session = {
    ready: {
      providerSessionId: null,
      agent: 'Fake 1.0',
      capabilities: { resume: false, cancel: false, permissions: false, images: false, embeddedFiles: false },
      fresh: true,
      notice: null,
    },
    choices: { modes: ['careful'], models: ['small', 'large'] },
    async turn({ prompt }) {
      fake.prompts.push(prompt);
      return turn;
    },
    cancel: async () => {},
    park: async () => {},
    async close() {
      fake.closed += 1;
    },
  };
  return fake;
}

const leftFolders = async () => (await readdir(home)).filter((name) => name.startsWith('muster-agent-test-'));

test('an agent is tried in a folder of its own, and leaves nothing', async () => {
  await program('fake', 'exit 0');
  const fake = fakeAgent();
  const before = await leftFolders();
  const result = await finder({ agents: { acp: fake.port } }).test(acpProfile('fake', 'fake'));
  expect(result.checks.map(({ name, ok: good, detail }) => [name, good, detail])).toEqual([
    ['found on PATH', true, join(home, 'bin', 'fake')],
    ['starts and opens a session', true, 'Fake 1.0'],
    ['answers a prompt', true, 'ready.'],
  ]);
  expect(result.ok).toBe(true);
  expect(result.choices).toEqual({ modes: ['careful'], models: ['small', 'large'] });
  expect(fake.prompts).toEqual(['Reply with the single word ready.']);
  expect(fake.specs[0]?.cwd).toContain('muster-agent-test-');
  expect(fake.closed).toBe(1);
  expect(await leftFolders()).toEqual(before);
});

test('the first check that fails ends the test and says how to fix it', async () => {
  const fake = fakeAgent();
  const result = await finder({ agents: { acp: fake.port }, presets: [preset('fake')] }).test(
    acpProfile('mine', 'fake'),
  );
  expect(result).toMatchObject({
    ok: false,
    checks: [{ name: 'found on PATH', ok: false, detail: 'fake is not on PATH. Install it: get fake' }],
  });
  expect(fake.specs).toEqual([]);
});

test('a missing login is reported with its command, and a turn that fails with its error', async () => {
  await program('fake', 'exit 0');
  const login = appError('agent.auth_required', 'not logged in', { mend: 'Run: fake login' });
  const closed = fakeAgent({ open: async () => err(login) });
  const notIn = await finder({ agents: { acp: closed.port } }).test(acpProfile('fake', 'fake'));
  expect(notIn.checks.at(-1)).toMatchObject({ ok: false, detail: 'not logged in. Run: fake login' });
  const broken = fakeAgent({ turn: { outcome: 'refused', response: '', stopReason: 'refusal' } });
  const refused = await finder({ agents: { acp: broken.port } }).test(acpProfile('fake', 'fake'));
  expect(refused.checks.at(-1)).toMatchObject({ ok: false, detail: 'it ended with refusal' });
  expect(broken.closed).toBe(1);
  expect(await leftFolders()).toEqual([]);
});

test('an agent that opens too late is closed when it does', async () => {
  await program('fake', 'exit 0');
  const clock = createClock();
  const hurried: Clock = { now: clock.now, at: (at, run) => clock.at(at - 59_950, run) };
  const other = fakeAgent();
  let open = (): void => {};
  const slow = fakeAgent({
    open: () =>
      new Promise((opened) => {
        open = () => void other.port.open(slow.specs[0] as SessionSpec, listener).then(opened);
      }),
  });
  const listener = {
    items: () => {},
    permission: async () => ({ allow: false, always: false, reason: null }),
    lost: () => {},
  };
  const result = await finder({ agents: { acp: slow.port }, clock: hurried }).test(
    acpProfile('fake', 'fake'),
  );
  expect(result.checks.at(-1)).toMatchObject({ ok: false, detail: 'it was not ready within 60 s' });
  open();
  await expect.poll(() => other.closed).toBe(1);
});

test('a kind without an agent is reported', async () => {
  const profile = agentProfileSchema.parse({ kind: 'scripted', id: 's', name: 'S', script: 'default' });
  expect((await finder({}).test(profile)).checks).toMatchObject([
    {
      name: 'starts and opens a session',
      ok: false,
      detail: 'agents of the kind scripted cannot be started yet',
    },
  ]);
});

test('a gateway is tried by address, key, model and answer', async () => {
  const server = await startModelServer({ key: 'right' });
  const secrets: Record<string, string> = {};
  const files = { readBytes: async () => ok(new Uint8Array()) };
  const gateway = createGatewayAgent({
    secret: (name) => secrets[name] ?? null,
    clock: createClock(),
    files,
  });
  const { test: tryOut } = finder({ agents: { gateway }, secrets });
  const profile = (more: object) =>
    agentProfileSchema.parse({
      kind: 'gateway',
      id: 'g',
      name: 'G',
      api: 'openai',
      base_url: server.url,
      ...more,
    });
  const last = async (more: object) => (await tryOut(profile(more))).checks.at(-1);

  expect(await last({ api_key_secret: 'KEY' })).toMatchObject({ name: 'key present', ok: false });
  secrets.KEY = 'wrong';
  expect(await last({ api_key_secret: 'KEY', model: 'scripted' })).toMatchObject({
    name: 'answers a prompt',
    ok: false,
    detail: expect.stringContaining('rejects the key in KEY'),
  });
  secrets.KEY = 'right';
  expect(await last({ api_key_secret: 'KEY' })).toMatchObject({
    name: 'model named',
    ok: false,
    detail: 'the profile g names no model. Set `model` to one of scripted, scripted-small',
  });
  const good = await tryOut(profile({ api_key_secret: 'KEY', model: 'scripted' }));
  expect(good.checks.map(({ name, detail }) => [name, detail])).toEqual([
    ['address reachable', `${server.url}: scripted, scripted-small`],
    ['key present', 'KEY is set'],
    ['model named', 'scripted'],
    ['starts and opens a session', `scripted at ${new URL(server.url).host}`],
    ['answers a prompt', 'Scripted answer 1 to: Reply with the single word ready.'],
  ]);
  await server.close();
  expect(await tryOut(profile({ api_key_secret: 'KEY', model: 'scripted' }))).toMatchObject({
    ok: false,
    checks: [{ name: 'address reachable', ok: false, detail: expect.stringContaining('cannot be reached') }],
  });
});

test('an OpenClaw gateway is tried by token, session and answer', async () => {
  const gateway = await FakeGateway.start({ token: 'right' });
  const secrets: Record<string, string> = {};
  const openclaw = createOpenclawAgent({
    secret: (name) => secrets[name] ?? null,
    clock: createClock(),
    files: { readBytes: async () => ok(new Uint8Array()) },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  });
  const { test: tryOut } = finder({ agents: { gateway: openclaw }, secrets });
  const checks = async () => {
    const profile = { kind: 'gateway', id: 'o', name: 'O', api: 'openclaw', api_key_secret: 'KEY' };
    const tried = await tryOut(agentProfileSchema.parse({ ...profile, base_url: gateway.url }));
    return tried.checks.map((check) => [check.name, check.ok, check.detail]);
  };
  expect(await checks()).toMatchObject([['key present', false, expect.stringContaining('KEY is not set')]]);
  secrets.KEY = 'wrong';
  expect(await checks()).toMatchObject([
    ['key present', true, 'KEY is set'],
    ['starts and opens a session', false, expect.stringContaining('openclaw config get gateway.auth.token')],
  ]);
  secrets.KEY = 'right';
  expect(await checks()).toEqual([
    ['key present', true, 'KEY is set'],
    ['starts and opens a session', true, `OpenClaw 2026.9.6 at ${new URL(gateway.url).host}`],
    ['answers a prompt', true, 'You said: Reply with the single word ready.'],
  ]);
  await gateway.close();
});
