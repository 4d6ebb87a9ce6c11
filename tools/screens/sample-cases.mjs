import { join } from 'node:path';
import { makeProject, until } from './project.mjs';

/**
 * Questions that need a run of their own, in a data folder of their own: many of them would crowd the lists of the other
 * pictures.
 */

/** How many requests of one turn the operator is asked about (core/engine/permissions/permission-flood.ts). */
const MOST_ASKED = 100;

const requests = (count) =>
  Array.from({ length: count }, (_, index) => ({
    run: { command: `echo https://tides.example.org/${index + 1}.csv`, ask: true },
  }));

const scripts = {
  gatherer: JSON.stringify({
    default: { do: [...requests(MOST_ASKED + 1), { wait_for_file: '/nowhere/go' }], text: 'Gathered.' },
  }),
  reader: `default:
  do: [{ write: { path: notes.md, content: "Pier 3 is closed in winter.\\n", via: direct } }]
  text: <task-result>I have read the handbook, and noted what is missing.</task-result>
`,
  writer: 'default: <task-result>A first draft of the notice.</task-result>\n',
  spender: `match:
  - when: second
    reply: { do: [{ wait_for_file: /nowhere/go }], text: Done. }
default: { text: "I have read half of the archive.", usage: { input_tokens: 700, output_tokens: 150, cost_usd: 0.02 } }
`,
  worker: 'default: "The tests of the berths do not start: port 8080 is taken.\\nResult: failed"\n',
};

/** A program with a prompt that asks in its terminal. */
const PROGRAM = `printf 'agent> '
while IFS= read -r line; do
  printf 'Reading the log books of 2025\\n'
  printf 'Overwrite summary.md? (y/n) '
  IFS= read -r answer
  printf 'agent> '
done
`;

const names = {
  gatherer: 'Gatherer',
  reader: 'Reader',
  writer: 'Writer',
  spender: 'Archivist',
  worker: 'Story worker',
};

const task = (agent, instruction, more = '') =>
  `  - { id: work, type: step.agent_task, title: "${instruction}", config: { acp_profile_id: ${agent}, instruction: "${instruction}."${more} } }\n`;

const story = { id: 'US-001', title: 'List the free berths', priority: 1, passes: false };

const files = {
  'handbook.md': 'Pier 1 is for guests.\n',
  'prd.json': `${JSON.stringify({ branchName: 'ralph/berths', userStories: [story] }, null, 2)}\n`,
  '.muster/agents.yaml': JSON.stringify({
    profiles: Object.entries(names).map(([id, name]) => ({
      kind: 'scripted',
      id,
      name,
      script: `.muster/scripts/${id}.yaml`,
    })),
  }),
  ...Object.fromEntries(Object.entries(scripts).map(([id, text]) => [`.muster/scripts/${id}.yaml`, text])),
  'agent.sh': PROGRAM,
  '.muster/workflows/tides.yaml': `name: Gather the tides\nsteps:\n${task('gatherer', 'Gather the tables')}`,
  '.muster/workflows/archive.yaml': `name: Read the archive\nbudget: { tokens: 1000 }\nsteps:\n${task('spender', 'Read the archive', ', re_prompts: [Read the second half.]')}`,
  '.muster/workflows/logbooks.yaml': `name: Sum up the log books\nsteps:\n${task('by-hand', 'Sum up the log books')}`,
};

const byHand = {
  kind: 'cli',
  id: 'by-hand',
  name: 'Old agent',
  command: '/bin/bash',
  args: ['agent.sh'],
  env: {},
  secrets: [],
  permissions: 'ask',
  read_only: false,
  max_sessions: 1,
  silence_minutes: null,
  trust_workspace: false,
};

async function flood({ call, start, gates }) {
  const runId = await start('tides');
  for (let asked = 1; asked <= MOST_ASKED; asked += 1) {
    await until(`request ${asked}`, async () =>
      (await gates(runId)).some(({ id, status }) => id === asked && status === 'open'),
    );
    await call('gate.resolve', { runId, gateId: asked, answer: { option: 'allow' } });
  }
  await until('the notice', async () => (await gates(runId)).some(({ kind }) => kind === 'permission_flood'));
}

/** A member that may only read writes a file, and one that is spoken to has used its rounds. */
async function team({ call, projectId, gates }) {
  const members = [
    { name: 'mia', agent: 'reader', prompt: 'Read the handbook.', iterative: true, read_only: true },
    { name: 'tom', agent: 'writer', prompt: 'Write the notice.', iterative: true },
  ];
  const { runId } = await call('team.start', {
    projectId,
    name: 'Handbook',
    config: { members, max_rounds: 1 },
  });
  const place = { runId, activationId: 1 };
  await until('the round of tom', async () => {
    const { state } = await call('run.get', { runId });
    return state.teams[1]?.members.tom?.rounds[0]?.result != null;
  });
  await call('team.changes', { ...place, member: 'tom', text: 'Say which pier is closed, too.' });
  await until(
    'two questions',
    async () => (await gates(runId)).filter(({ status }) => status === 'open').length >= 2,
  );
}

/** Fills an empty data folder with one open gate of each kind that the large sample has not. */
export async function makeCases(call, folder) {
  const path = join(folder, 'harbour');
  makeProject(path, files);
  const { id: projectId } = await call('project.add', { path });
  await call('agent.save', { profile: byHand });
  const start = async (name) =>
    (await call('run.start', { projectId, file: `.muster/workflows/${name}.yaml` })).runId;
  const gates = async (runId) => Object.values((await call('run.get', { runId })).state.gates);
  const asked = (runId) =>
    until(`a gate of run ${runId}`, async () => (await gates(runId)).some(({ status }) => status === 'open'));
  const parts = { call, projectId, start, gates };
  await Promise.all([
    flood(parts),
    team(parts),
    start('archive').then(asked),
    start('logbooks').then(asked),
    call('loop.start', { projectId, worker: 'worker', iterations: 5 }).then(({ runId }) => asked(runId)),
  ]);
}
