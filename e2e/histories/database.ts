/**
 * `database.js JSON`: writes a database with runs of every kind, as an operator's machine holds it after a power cut:
 * open gates, timers that are set, turns in flight. Tests of later versions open it and finish its runs.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { keyOf } from '@contract/run/keys';
import type { RunState } from '@contract/run/state';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { CoreProcess } from '../durability/core-process';

const { into, folder, resourcesDir } = z
  .object({ into: z.string(), folder: z.string(), resourcesDir: z.string() })
  .parse(JSON.parse(process.argv[2] ?? ''));
const project = join(folder, 'project');
const dataDir = join(folder, 'data');
const LIMIT_MS = 30_000;

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
};

const made = "{ write: { path: made.txt, content: 'made {{turn}}' } }";
/** Scripts of agents by profile. */
const agents: Readonly<Record<string, string>> = {
  good: `default: { do: [${made}], text: 'Answer {{turn}}.' }`,
  hangs: `default: { do: [${made}, { hang: {} }] }`,
  asks: "default: { do: [{ ask: { title: 'Delete build' } }], text: Deleted. }",
  limited: "default: { text: '', error: { limit: { resets_in_seconds: 86400 } } }",
  broken: 'default: { text: I cannot., error: { message: No such model. } }',
  reviewer: `default: { text: '{"decision": "revise", "findings": [{"severity": "high", "text": "say more"}]}' }`,
  delivers: `default: { do: [${made}], text: '<task-result status="completed">Draft {{turn}}.</task-result>' }`,
  silent: "default: { text: '' }",
  planner: 'default: { text: First the tests. }',
  lead: 'default: { text: All is done. }',
  blocked: 'default: { text: "Which database?\\nResult: blocked" }',
};

const worked = (...lines: string[]): string => `workspace: worktree\nsteps:\n${lines.join('\n')}\n`;
const member = (name: string, agent: string, more = ''): string =>
  `        - { name: ${name}, agent: ${agent}, prompt: Do the work of ${name}.${more} }`;
const team = (config: readonly string[], ...members: string[]): string =>
  worked(
    '  - id: crew\n    type: step.team\n    config:',
    ...config.map((line) => `      ${line}`),
    '      members:',
    ...members,
  );
const loop = (worker: string, ...config: string[]): string =>
  worked(
    '  - id: ralph\n    type: step.ralph\n    config:',
    `      worker: { acp_profile_id: ${worker} }`,
    ...config.map((line) => `      ${line}`),
  );
const task = (id: string, agent: string): string =>
  `  - { id: ${id}, type: step.agent_task, config: { instruction: Do it., acp_profile_id: ${agent} } }`;

/** Whether a stored key is of this kind, and about this member if one is named: `team.idle S1`. */
const isOf = (stored: string, wanted: string): boolean => {
  const [kind, member] = wanted.split(' ');
  const key = keyOf(stored);
  return key?.[0] === kind && (member === undefined || key?.[1] === member);
};
const openGates = ({ gates }: RunState, ...wanted: string[]): boolean =>
  wanted.every((one) =>
    Object.values(gates).some(
      ({ status, kind, about = '' }) => status === 'open' && (kind === one || isOf(about, one)),
    ),
  );
const timers = (state: RunState, ...wanted: string[]): boolean =>
  wanted.every((one) => Object.values(state.timers).some(({ purpose }) => isOf(purpose, one)));
const inFlight = ({ turns }: RunState): boolean =>
  Object.values(turns).some(({ status }) => status === 'in_flight');

interface Scene {
  readonly name: string;
  readonly workflow: string;
  readonly reached: (state: RunState) => boolean;
}

const SHORT = 0.02;
const scenes: readonly Scene[] = [
  {
    name: 'succeeded',
    workflow: worked(
      task('one', 'good'),
      task('two', 'good'),
      'cables:\n  - { from: one.data_out, to: two.data_in }',
    ),
    reached: ({ outcome }) => outcome === 'succeeded',
  },
  { name: 'failed', workflow: worked(task('one', 'broken')), reached: ({ outcome }) => outcome === 'failed' },
  {
    name: 'approval',
    workflow: worked(
      task('draft', 'good'),
      '  - { id: ok, type: step.approval, config: { message: Good enough? } }',
      '  - { id: count, type: step.command, config: { script: echo counted, terminal: false } }',
      'cables:\n  - { from: draft.data_out, to: ok.data_in }\n  - { from: ok.signal_out, to: count.signal_in }',
    ),
    reached: (state) => openGates(state, 'approval'),
  },
  { name: 'permission', workflow: worked(task('one', 'asks')), reached: (s) => openGates(s, 'permission') },
  {
    name: 'limit',
    workflow: worked(task('one', 'limited')),
    reached: (state) => timers(state, 'turn.limit'),
  },
  { name: 'task-in-flight', workflow: worked(task('one', 'hangs')), reached: inFlight },
  {
    name: 'review',
    workflow: worked(
      '  - id: code\n    type: step.coding\n    config:\n      instruction: Build it.',
      '      coordination: review_chain\n      max_rounds: 1\n      agents:',
      '        - { role: builder, acp_profile_id: good, re_prompts: [Check it.] }',
      '        - { role: reviewer, acp_profile_id: reviewer }',
    ),
    reached: (state) => openGates(state, 'review_escalation'),
  },
  {
    name: 'parallel-in-flight',
    workflow: worked(
      '  - id: code\n    type: step.coding\n    config:\n      instruction: Build it.',
      '      coordination: parallel\n      agents:',
      '        - { role: north, acp_profile_id: good }\n        - { role: south, acp_profile_id: hangs }',
    ),
    reached: (state) =>
      inFlight(state) && Object.values(state.turns).some((one) => one.status === 'completed'),
  },
  {
    name: 'team-that-waits',
    workflow: team(
      ['idle_minutes: 60', 'max_rounds: 1'],
      member('S1', 'delivers', ', iterative: true'),
      member('S2', 'hangs'),
      member('S3', 'delivers', ', read_only: true'),
      member('S4', 'planner', ', iterative: true, plan_approval: true'),
      member('S5', 'broken'),
      member('S6', 'silent'),
      member('S7', 'limited'),
    ),
    reached: (state) =>
      openGates(state, 'team.wrote S3', 'team.plan S4', 'team.failed S5', 'team.rounds-allowed S6') &&
      timers(state, 'team.idle S1', 'team.before-idle S1', 'team.stall S2', 'team.round S2', 'turn.limit'),
  },
  {
    name: 'team-out-of-time',
    workflow: team(
      [`idle_minutes: ${SHORT}`, `round_minutes: ${SHORT}`, 'stall_minutes: 60'],
      member('S1', 'delivers', ', iterative: true'),
      member('S2', 'hangs', ', iterative: true'),
      member('S3', 'silent'),
    ),
    reached: (state) => openGates(state, 'team.idle S1', 'team.takes-long S2', 'team.silent-again S3'),
  },
  {
    name: 'team-stalled',
    workflow: team(
      [`stall_minutes: ${SHORT}`, 'round_minutes: 60'],
      member('S1', 'hangs', ', iterative: true'),
    ),
    reached: (state) => openGates(state, 'team.stalled S1'),
  },
  {
    name: 'team-at-rest',
    workflow: team(['lead: { agent: lead }', 'instruction: Count the words.'], member('S1', 'delivers')),
    reached: (state) => openGates(state, 'team.at-rest'),
  },
  {
    name: 'team-merges',
    workflow: team(['idle_minutes: 60'], member('S1', 'delivers', ', iterative: true')),
    reached: ({ teams }) => teams[1]?.members.S1?.rounds[0]?.result != null,
  },
  {
    name: 'loop-blocked',
    workflow: loop('blocked', 'minutes: 60', 'attempt_minutes: 60', 'verify: "true"'),
    reached: (state) =>
      openGates(state, 'loop.after-attempt') && timers(state, 'loop.time-limit', 'loop.attempt-limit'),
  },
  {
    name: 'loop-failed-twice',
    workflow: loop('broken'),
    reached: (state) => openGates(state, 'loop.failed-twice'),
  },
  {
    name: 'loop-in-flight',
    workflow: loop('hangs', 'attempt_minutes: 60'),
    reached: (state) => inFlight(state) && timers(state, 'loop.attempt-limit'),
  },
  { name: 'cancelled', workflow: worked(task('one', 'hangs')), reached: inFlight },
];

const plan = {
  branchName: 'ralph/work',
  userStories: [
    { id: 'US-001', title: 'Sign in', priority: 1, passes: false },
    { id: 'US-002', title: 'Sign out', priority: 2, passes: false },
  ],
};

function fill(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const profiles = Object.keys(agents).map(
    (id) =>
      `  - { kind: scripted, id: ${id}, name: ${id}, script: .muster/${id}.yaml, permissions: ${id === 'asks' ? 'ask' : 'allow_all'}, max_sessions: 20 }\n`,
  );
  write('.muster/agents.yaml', `profiles:\n${profiles.join('')}`);
  for (const [id, script] of Object.entries(agents)) write(`.muster/${id}.yaml`, `${script}\n`);
  for (const { name, workflow } of scenes)
    write(
      `.muster/workflows/${name}.yaml`,
      `name: ${name}\n${workflow.replace('worker:', `branch: ralph/${name}\n      worker:`)}`,
    );
  write('prd.json', JSON.stringify(plan, null, 2));
  write('text.txt', 'nothing yet\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Operator');
  git('config', 'user.email', 'operator@example.org');
  git('add', '-A');
  git('commit', '-qm', 'start');
}

async function start(): Promise<CoreProcess> {
  let tell: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const init = {
    kind: 'init',
    version: 'recorded',
    dataDir,
    dbPath: join(dataDir, 'muster.db'),
    instanceId: 'recorded',
    resourcesDir,
    processDir: import.meta.dirname,
    nodeRuntime: { execPath: process.execPath, env: {} },
    secrets: {},
    socket: { endpointFile: 'core-endpoint.json' },
  } as const;
  const core = new CoreProcess(join(import.meta.dirname, 'core.js'), init, {
    committed: () => undefined,
    opened: () => undefined,
    ready: () => tell(),
  });
  await ready;
  return core;
}

fill();
const core = await start();
const { id: projectId } = await core.call('project.add', { path: project });
for (const { name, reached } of scenes) {
  const { runId } = await core.call('run.start', { projectId, file: `.muster/workflows/${name}.yaml` });
  const state = async () => (await core.call('run.get', { runId })).state;
  for (const end = performance.now() + LIMIT_MS; !reached(await state()); ) {
    if (performance.now() > end) {
      const { gates, timers: set, turns, reason } = await state();
      const seen = [
        ...Object.values(gates).map((gate) => `gate ${gate.status} ${gate.about ?? gate.kind}`),
        ...Object.values(set).map(({ purpose, fired }) => `timer ${purpose} ${fired}`),
        ...Object.values(turns).map(
          (turn) => `turn ${turn.lane} ${turn.status} ${turn.error?.message ?? ''}`,
        ),
      ];
      throw new Error(`${name} (${reason}): ${seen.join('\n')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  if (name === 'team-merges') {
    await core.call('team.satisfied', { runId, activationId: 1, member: 'S1' });
    while (!openGates(await state(), 'team.merge')) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  if (name === 'cancelled') {
    await core.call('run.cancel', { runId });
    while ((await state()).outcome === null) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  console.log(`recorded ${name}`);
}
core.kill();
await core.gone;
const db = new Database(join(dataDir, 'muster.db'));
db.pragma('wal_checkpoint(truncate)');
db.exec('vacuum');
writeFileSync(into, gzipSync(db.serialize(), { level: 9 }));
db.close();
rmSync(folder, { recursive: true, force: true });
