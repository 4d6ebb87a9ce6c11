import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CoreInit } from '@contract/system/host';
import { agentProfiles, agentScripts, agentWorkflows, checkoutFiles } from './agents-world';
import { scopeWorkflows } from './scopes-world';
import { addSubmodule, wholeWorkflows, writeTardy } from './whole-world';

/** A command that writes down when it ran, in the run's own folder. */
const command = (id: string, onInterrupt: 'retry' | 'ask', seconds = 0.02) => `
  - id: ${id}
    type: step.command
    on_interrupt: ${onInterrupt}
    config:
      terminal: ${id.startsWith('t')}
      script: echo "${id} $(date +%s%3N)" >> ran.log; sleep ${seconds}`;

const cable = (from: string, to: string) => `\n  - { from: ${from}, to: ${to} }`;
const numbered = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `${name}${index + 1}`);

const workflow = (name: string, steps: string[], cables: string[]) => `name: ${name}
workspace: folder
max_parallel: 6
steps:${steps.join('')}
cables:${cables.join('')}
`;

const chained = numbered(10, 'c');
const fanned = numbered(12, 'f');

const workflows: Readonly<Record<string, string>> = {
  chain: workflow(
    'chain',
    chained.map((id) => command(id, 'retry')),
    chained.slice(1).map((id, index) => cable(`c${index + 1}.data_out`, `${id}.data_in`)),
  ),
  fan: workflow(
    'fan',
    [command('first', 'retry'), ...fanned.map((id) => command(id, 'retry', 0.05)), command('last', 'retry')],
    fanned.flatMap((id) => [
      cable('first.data_out', `${id}.data_in`),
      cable(`${id}.data_out`, 'last.data_in'),
    ]),
  ),
  gates: workflow(
    'gates',
    [
      command('draft', 'ask'),
      '\n  - { id: ok, type: step.approval, config: { message: Is it good?, max_attempts: 3 } }',
      '\n  - { id: also, type: step.approval, config: { message: And this? } }',
      command('publish', 'retry'),
    ],
    [
      cable('draft.data_out', 'ok.data_in'),
      cable('draft.data_out', 'also.data_in'),
      cable('ok.revise_out', 'draft.instruction_in'),
      cable('ok.approved_out', 'publish.data_in'),
      cable('also.approved_out', 'publish.context_in'),
    ],
  ),
  terminals: workflow(
    'terminals',
    [
      command('t1', 'retry', 0.3),
      `
  - id: type
    type: step.agent_task
    on_interrupt: retry
    config: { acp_profile_id: typist, instruction: Type it., re_prompts: [Once more.] }`,
      `
  - id: run
    type: step.agent_task
    on_interrupt: retry
    config: { acp_profile_id: runner, instruction: Run it., re_prompts: [Once more.] }`,
      command('t2', 'retry', 0.3),
    ],
    [
      cable('t1.data_out', 'type.data_in'),
      cable('t1.data_out', 'run.data_in'),
      cable('type.data_out', 't2.data_in'),
      cable('run.data_out', 't2.context_in'),
    ],
  ),
  loop: `name: loop
steps:
  - id: loop
    type: step.ralph
    on_interrupt: retry
    config: { worker: { acp_profile_id: worker }, iterations: 40 }
`,
  reprompts: workflow(
    'reprompts',
    [
      `
  - id: write
    type: step.agent_task
    on_interrupt: retry
    config: { acp_profile_id: teller, instruction: Write., re_prompts: [Once more., And again., The end.] }`,
      `
  - id: edit
    type: step.agent_task
    on_interrupt: ask
    config: { acp_profile_id: teller, instruction: Edit., re_prompts: [Done?], session_mode: continue }`,
    ],
    [cable('write.data_out', 'edit.data_in')],
  ),
};

/** In the order in which they are started, round after round: so that a short run has some of all. */
const order = [
  ...[
    'chain',
    'team',
    'skips',
    'whole',
    'terminals',
    'coding',
    'experiment',
    'led',
    'items',
    'gates',
    'loop',
  ],
  ...['rounds', 'parallel', 'rework', 'review', 'terminals', 'builders', 'fan', 'team', 'reprompts'],
];
const all: Readonly<Record<string, string>> = {
  ...workflows,
  ...agentWorkflows,
  ...scopeWorkflows,
  ...wholeWorkflows,
};

export const fileOf = (kind: string): string => `.muster/workflows/${kind}.yaml`;

/** The workflow files to start, of all kinds or of those that are named. */
export const filesOf = (kinds: readonly string[]): string[] =>
  order.filter((name) => kinds.length === 0 || kinds.includes(name)).map(fileOf);

const profile = (id: string) =>
  `  - { kind: scripted, id: ${id}, name: ${id}, script: .muster/${id}.yaml, permissions: allow_all, max_sessions: 64 }\n`;
const agents = `profiles:\n${['teller', 'runner', 'worker', ...agentProfiles].map(profile).join('')}`;
const teller = `default:
  do: [{ wait_ms: 120 }]
  text: 'Answer {{turn}}: {{prompt}}'
`;

const runner = `default:
  do: [{ run: { command: 'echo "{{session}} {{turn}}" >> runner.txt; sleep 0.3', via: terminal } }]
  text: 'Ran {{turn}}.'
`;

/** Does the story that it is given: what `prd.json` says of it is the evidence. */
const worker = `default:
  do:
    - { wait_ms: 80 }
    - run: { command: 'sed -i "0,/\\"passes\\": false/s//\\"passes\\": true/" prd.json && git -c user.name=W -c user.email=w@example.org commit -qam "work {{turn}}"' }
  text: 'Result: completed'
`;

/** A program with a prompt, which writes down each line that it was given. */
const typist = `printf 'agent> '
while IFS= read -r line; do
  echo "$$ $line" >> "$1"
  sleep 0.3
  echo "typed: $line"
  "$MUSTER_SIGNAL" '{"type":"ended","text":"Typed."}'
  printf 'agent> '
done
`;

const prd = {
  project: 'Durability',
  userStories: ['US-001', 'US-002', 'US-003'].map((id, index) => ({
    id,
    title: `Story ${id}`,
    description: '',
    acceptanceCriteria: [],
    notes: '',
    priority: index + 1,
    passes: false,
  })),
};

export interface World {
  readonly folder: string;
  readonly project: string;
  readonly dataDir: string;
  readonly database: string;
  /** Where the terminal process listens. */
  readonly socket: string;
  /** What the program in a terminal was given, a line each. */
  readonly typed: string;
  init(instanceId: string): CoreInit;
  remove(): void;
}

/** Where the scripted agent's bundle and the app's resources lie. */
export interface Places {
  readonly processDir: string;
  readonly resourcesDir: string;
}

/** A data folder, and a project of its own: a repository in which the operator has changes that were not committed. */
export function makeWorld({ processDir, resourcesDir }: Places): World {
  const folder = mkdtempSync(join(tmpdir(), 'muster-durability-'));
  const project = join(folder, 'project');
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const typed = join(folder, 'typed.log');
  makeProject(project, typed);
  const database = join(dataDir, 'muster.db');
  return {
    folder,
    project,
    dataDir,
    database,
    typed,
    socket: join(folder, 'terminals.sock'),
    init: (instanceId) => ({
      kind: 'init',
      version: 'durability',
      dataDir,
      dbPath: database,
      instanceId,
      resourcesDir,
      processDir,
      nodeRuntime: { execPath: process.execPath, env: {} },
      secrets: {},
      socket: { endpointFile: 'core-endpoint.json' },
    }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function makeProject(project: string, typed: string): void {
  const write = (path: string, text: string) => writeFileSync(join(project, path), text);
  mkdirSync(join(project, '.muster', 'workflows'), { recursive: true });
  for (const [name, text] of Object.entries(all)) write(`.muster/workflows/${name}.yaml`, text);
  for (const [name, text] of Object.entries({ teller, runner, worker, ...agentScripts }))
    write(`.muster/${name}.yaml`, text);
  write('typist.sh', typist);
  write('prd.json', JSON.stringify(prd, null, 2));
  const program = join(project, 'typist.sh');
  write(
    '.muster/agents.yaml',
    `${agents}${writeTardy(project)}  - { kind: cli, id: typist, name: typist, command: /bin/bash, args: [${program}, ${typed}], max_sessions: 8, permissions: allow_all }\n`,
  );
  for (const [name, text] of Object.entries(checkoutFiles)) write(name, text);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Operator');
  git('config', 'user.email', 'operator@example.org');
  addSubmodule(project);
  git('add', '-A');
  git('commit', '-qm', 'start');
  write('operators-own.txt', 'not committed\n');
  write('notes.txt', 'of the operator alone\n');
}
