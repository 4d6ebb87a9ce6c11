import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentLogin } from '@areas/agents/contract/login';
import type { ProfileRow } from '@areas/agents/contract/procedures';
import { type AgentProfile, agentProfileSchema } from '@areas/agents/contract/profile';
import { createAgentFinder } from '@areas/agents/node/agent-finder';
import { DetectedProfiles } from '@areas/agents/node/detected-profiles';
import { fail, ok } from '@contract/result';
import { double } from '@contract/testing/double';
import { GuardedProcesses } from '@main/adapters/process';
import { createClock } from '@main/adapters/system/clock';
import type { Sandbox } from '@main/core/ports/programs/sandbox';
import { LOW_DISK_BYTES } from '@main/limits/core-sizes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Check, type Doctor, missingAgents, verdictOf } from '../contract/procedures';
import { DoctorService } from './doctor-service';
import type { DoctorParts, DoctorPreset } from './parts';

let home: string;
let open: GuardedProcesses[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'muster-doctor-'));
  await mkdir(join(home, 'bin'));
});
afterEach(async () => {
  await Promise.all(open.map((processes) => processes.endAll()));
  open = [];
  await rm(home, { recursive: true, force: true });
});

/** A program of this machine, whose PATH has nothing else. */
async function program(name: string, script: string): Promise<void> {
  const path = join(home, 'bin', name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

const git = (version: string, config = 'echo Ada'): Promise<void> =>
  program('git', `if [ "$1" = --version ]; then echo "${version}"; else ${config}; fi`);

async function file(path: string): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await writeFile(join(home, path), '{}');
}

const preset = (id: string, login?: AgentLogin): DoctorPreset => ({
  id,
  name: `The ${id}`,
  programs: [id],
  versionArgs: ['--version'],
  install: `get ${id}`,
  ...(login === undefined ? {} : { login }),
  profile: (command) =>
    agentProfileSchema.parse({ kind: 'acp', id, name: id, command, login_command: `${id} login` }),
});

interface Machine extends Partial<DoctorParts> {
  readonly env?: Readonly<Record<string, string>>;
  readonly own?: readonly AgentProfile[];
}

function doctor({ env = {}, own = [], ...given }: Machine = {}): DoctorService {
  const processes = new GuardedProcesses({
    dataDir: join(home, 'data'),
    instanceId: 'test',
    environment: { PATH: join(home, 'bin'), HOME: home, ...env },
    runtime: { execPath: process.execPath, env: {} },
    askLoginShell: false,
  });
  open.push(processes);
  const find: DoctorParts['processes']['find'] = async (name) => {
    const path = await processes.find(name);
    // What is installed in the well-known folders of the machine that runs the tests does not count.
    return path?.startsWith(home) ? path : null;
  };
  const own_processes = { find, launch: processes.launch.bind(processes) };
  const clock = createClock();
  const presets = given.presets ?? [];
  const secret = given.secret ?? ((name: string) => env[name] ?? null);
  const finder = createAgentFinder({
    presets,
    processes: own_processes,
    agents: new Map(),
    clock,
    secret,
    tempDir: home,
  });
  const rows = own.map(
    (profile): ProfileRow => ({ profile, source: 'operator', projectId: null, trouble: null }),
  );
  return new DoctorService({
    presets,
    processes: own_processes,
    detect: () => finder.detect(),
    profiles: async () => rows,
    installed: async () => [],
    profilesChanged: () => undefined,
    environment: async () => env,
    home,
    dataDir: home,
    tempDir: home,
    clock,
    freeBytes: async () => LOW_DISK_BYTES * 10,
    terminals: async () => true,
    sandboxes: double<DoctorParts['sandboxes']>({}),
    ...given,
    secret,
  });
}

const check = ({ checks }: Doctor, id: string): Pick<Check, 'state' | 'detail' | 'command'> | undefined => {
  const found = checks.find((one) => one.id === id);
  return found && { state: found.state, detail: found.detail, command: found.command };
};
const look = async (id: string, machine: Machine = {}) => check(await doctor(machine).get(false), id);

test('a machine without git is told how its own package manager installs it', async () => {
  const none = { state: 'missing', detail: expect.stringContaining('git is not installed') };
  expect(await look('git')).toEqual({ ...none, command: null });
  await program('dnf', 'exit 1');
  expect(await look('git')).toEqual({ ...none, command: 'sudo dnf install git' });
});

test('the version of git is checked, and one that says none is unknown', async () => {
  await git('git version 2.43.0');
  expect(await look('git')).toEqual({ state: 'ok', detail: 'git 2.43 is installed.', command: null });
  await git('git version 2.37.9');
  expect(await look('git')).toMatchObject({ state: 'missing', detail: expect.stringContaining('too old') });
  await git('hello');
  expect(await look('git')).toMatchObject({ state: 'unknown', command: 'git --version' });
});

test('the name for commits is missing if git has none, and unknown if git fails', async () => {
  await git('git version 2.43.0');
  expect(await look('git-name')).toMatchObject({ state: 'ok', detail: 'Your own commits are by Ada.' });
  await git('git version 2.43.0', 'exit 1');
  expect(await look('git-name')).toMatchObject({
    state: 'missing',
    command: expect.stringContaining('git config --global user.name'),
  });
  await git('git version 2.43.0', 'exit 128');
  expect(await look('git-name')).toMatchObject({ state: 'unknown' });
});

test('a machine without agents lists how to install each, and says that none is ready', async () => {
  const presets = [preset('one'), { ...preset('two'), install: 'https://two.example' }];
  const found = await doctor({ presets }).get(false);
  expect(check(found, 'any-agent')).toEqual({
    state: 'missing',
    detail: 'No agent is installed on this machine.',
    command: 'get one',
  });
  expect(check(found, 'agent-one')).toEqual({
    state: 'missing',
    detail: 'Not installed.',
    command: 'get one',
  });
  expect(check(found, 'agent-two')).toEqual({
    state: 'missing',
    detail: 'Not installed; it is at https://two.example.',
    command: null,
  });
  expect([...missingAgents(found)]).toEqual(['one', 'two']);
  expect(verdictOf(found)).toBe('missing');
});

test('an installed agent is ready with a login on this machine: a file, a key, or its own word', async () => {
  await program('agent', 'if [ "$1" = --version ]; then echo 1.2.3; else exit "$AGENT_SAYS"; fi');
  const folder = { variable: 'AGENT_HOME', inHome: '.agent' };
  const by = (login: AgentLogin, env: Readonly<Record<string, string>> = {}) =>
    look('agent-agent', { presets: [preset('agent', login)], env });
  const yes = (how: string) => ({ state: 'ok', detail: `Installed (1.2.3); ${how}.`, command: null });
  expect(await by({ variables: ['AGENT_KEY'] }, { AGENT_KEY: 'k' })).toEqual(yes('its key is in AGENT_KEY'));
  const files = { folder, files: ['auth.json'] };
  expect(await by(files)).toMatchObject({ state: 'unknown', command: 'muster agents test agent' });
  await file('.agent/auth.json');
  expect(await by(files)).toEqual(yes('logged in'));
  expect(await by(files, { AGENT_HOME: join(home, 'elsewhere') })).toMatchObject({ state: 'unknown' });
  await file('elsewhere/auth.json');
  expect(await by(files, { AGENT_HOME: join(home, 'elsewhere') })).toEqual(yes('logged in'));
  const status = { statusArgs: ['login', 'status'] };
  expect(await by(status, { AGENT_SAYS: '0' })).toEqual(yes('logged in'));
  expect(await by(status, { AGENT_SAYS: '1' })).toEqual({
    state: 'missing',
    detail: 'Installed (1.2.3), but not logged in.',
    command: 'agent login',
  });
  // A version that does not know the command says nothing about the login.
  expect(await by(status, { AGENT_SAYS: '2' })).toMatchObject({ state: 'unknown' });
});

test('one ready agent is enough, and one whose login cannot be seen is not known to be', async () => {
  await program('one', 'echo 1.0');
  await program('two', 'echo 1.0');
  const two = preset('two', { variables: ['TWO_KEY'] });
  const summary = (env: Readonly<Record<string, string>>) =>
    look('any-agent', { presets: [preset('one'), two, preset('three')], env });
  expect(await summary({ TWO_KEY: 'k' })).toMatchObject({ state: 'ok', detail: 'Ready: The two.' });
  expect(await summary({})).toEqual({
    state: 'unknown',
    detail: 'Installed, but not known to be ready: The one, The two.',
    command: 'muster agents test one',
  });
});

test('a configured model needs its model and its key, and takes the place of the known agent of its name', async () => {
  const gateway = (more: object) =>
    agentProfileSchema.parse({
      kind: 'gateway',
      api: 'openai',
      id: 'mine',
      name: 'Mine',
      base_url: 'http://127.0.0.1:1',
      ...more,
    });
  const state = async (more: object, secrets: Readonly<Record<string, string>> = {}) =>
    check(
      await doctor({
        own: [gateway(more)],
        presets: [preset('mine')],
        secret: (name) => secrets[name] ?? null,
      }).get(false),
      'profile-mine',
    );
  expect(await state({})).toMatchObject({ state: 'missing', detail: 'Its profile names no model.' });
  expect(await state({ model: 'm' })).toMatchObject({ state: 'unknown', command: 'muster agents test mine' });
  const keyed = { model: 'm', api_key_secret: 'MY_KEY' };
  expect(await state(keyed)).toMatchObject({ state: 'missing', command: 'export MY_KEY=VALUE' });
  expect(await state(keyed, { MY_KEY: 'k' })).toMatchObject({ state: 'ok' });
  const found = await doctor({ own: [gateway(keyed)], presets: [preset('mine')] }).get(false);
  expect(found.checks.filter(({ agent }) => agent === 'mine')).toHaveLength(1);
  expect(check(found, 'key-MY_KEY')).toMatchObject({
    state: 'missing',
    detail: 'Not set, and Mine needs it.',
  });
});

test('a scripted agent is no agent that is ready', async () => {
  const own = [agentProfileSchema.parse({ kind: 'scripted', id: 's', name: 'S', script: 'default' })];
  const found = await doctor({ own }).get(false);
  expect(check(found, 'any-agent')).toMatchObject({ state: 'missing' });
  expect(found.checks.some(({ agent }) => agent === 's')).toBe(false);
});

test('little free space is missing, and space that cannot be read is unknown', async () => {
  expect(await look('disk')).toMatchObject({ state: 'ok' });
  expect(await look('disk', { freeBytes: async () => 5_000_000 })).toEqual({
    state: 'missing',
    detail: 'Only 5 MB are free for runs and worktrees; 1.1 GB are needed.',
    command: 'muster clean',
  });
  const freeBytes = () => Promise.reject(new Error('no such folder'));
  expect(await look('disk', { freeBytes })).toMatchObject({ state: 'unknown' });
});

test('terminals are unknown without a process for them', async () => {
  expect(await look('terminals')).toMatchObject({ state: 'ok' });
  expect(await look('terminals', { terminals: async () => false })).toMatchObject({ state: 'unknown' });
});

test('the sandbox is tried only on request, stopped again, and its last result is kept', async () => {
  const stopped: string[] = [];
  const confinement = { osSandbox: true, detail: 'namespaces' };
  const sandbox = double<Sandbox>({ confinement, stop: async () => void stopped.push('stopped') });
  const service = doctor({ sandboxes: { start: async () => ok(sandbox) } });
  expect(check(await service.get(false), 'sandbox')).toMatchObject({
    state: 'unknown',
    command: 'muster rlm check',
  });
  expect(check(await service.get(true), 'sandbox')).toMatchObject({ state: 'ok' });
  expect(check(await service.get(false), 'sandbox')).toMatchObject({ state: 'ok' });
  expect(stopped).toEqual(['stopped']);
  const sandboxes = { start: async () => fail('unavailable', 'Muster runs as root.') };
  expect(check(await doctor({ sandboxes }).get(true), 'sandbox')).toMatchObject({
    state: 'missing',
    detail: 'Muster runs as root.',
  });
});

test('lists of agents are told of one that is installed between two looks, and not of the first look', async () => {
  const presets = [preset('agent')];
  let changes = 0;
  let now = 0;
  const agents = new DetectedProfiles({
    presets,
    find: async (name) => (installed ? join(home, 'bin', name) : null),
    now: () => now,
  });
  let installed = false;
  const service = doctor({
    presets,
    installed: () => agents.profiles(),
    profilesChanged: () => {
      changes += 1;
    },
  });
  await service.get(false);
  installed = true;
  now += 60_000;
  await service.get(false);
  expect(changes).toBe(1);
  await service.get(false);
  expect(changes).toBe(1);
});
