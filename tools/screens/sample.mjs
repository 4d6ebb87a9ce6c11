import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startModel } from './model.mjs';
import { makeProject, until } from './project.mjs';
import { harbour } from './sample-files.mjs';

/** Starts work in one project, and waits for it. */
function worker(call, projectId) {
  const get = (runId) => call('run.get', { runId });
  const start = async (name) =>
    (await call('run.start', { projectId, file: `.muster/workflows/${name}.yaml` })).runId;
  const ended = (runId) =>
    until(`the end of run ${runId}`, async () => (await get(runId)).row.finishedAt !== null);
  const asked = (runId, gates = 1) =>
    until(`gate ${gates} of run ${runId}`, async () => (await get(runId)).row.openGates >= gates);
  const answer = (runId, gateId, words) => call('gate.resolve', { runId, gateId, answer: words });
  return { get, start, ended, asked, answer };
}

/** The product's own sample: release notes approved once and open once, a team of five, a loop that ends. */
async function lighthouse(call, projectId) {
  const { get, start, ended, asked, answer } = worker(call, projectId);
  const notes = async () => {
    const runId = await start('release-notes');
    await asked(runId);
    return runId;
  };
  const first = await notes();
  await answer(first, 1, { option: 'approve' });
  await ended(first);
  const templates = await call('team.templates', { projectId });
  const { name, config } = templates.find(({ file }) => file.endsWith('prompt-engineers.yaml'));
  const { runId } = await call('team.start', { projectId, name, config });
  const rounds = async (member) => (await get(runId)).state.teams[1]?.members[member]?.rounds ?? [];
  const delivered = (member, round) =>
    until(`round ${round} of ${member}`, async () => (await rounds(member))[round - 1]?.result != null);
  const loop = { folder: 'loop', worker: 'loop-worker', branch: 'ralph/sample', iterations: 5 };
  await Promise.all([
    notes(),
    call('loop.start', { projectId, ...loop }).then((started) => ended(started.runId)),
    ...config.members.map((member) => delivered(member.name, 1)),
  ]);
  await call('team.changes', {
    runId,
    activationId: 1,
    member: 'S1',
    text: 'Use the words of the design system, and say what to do first.',
  });
  await call('team.satisfied', { runId, activationId: 1, member: 'dr-brac' });
  await Promise.all([delivered('S1', 2), delivered('dr-brac', 2)]);
  await asked(runId);
}

/** A gate of each kind that agents can open, and runs with each outcome. */
async function harbourRuns(call, projectId) {
  const { get, start, ended, asked, answer } = worker(call, projectId);
  const shipped = async () => {
    const runId = await start('ship');
    await asked(runId);
    return runId;
  };
  const first = await shipped();
  await answer(first, 1, { option: 'approve' });
  await ended(first);
  const open = async (name, gates = 1) => asked(await start(name), gates);
  const reworked = async () => {
    const runId = await start('rework');
    await asked(runId);
    await answer(runId, 1, { option: 'reject', reason: 'Make it shorter.' });
    await until('the second asking', async () => (await get(runId)).state.gates[2]?.status === 'open');
  };
  const question = async () => {
    const models = { root: { profile: 'root' }, sub: { profile: 'small' } };
    const asks = { question: 'Which key opens the boathouse?', documents: ['handbook'] };
    await ended((await call('rlm.start', { projectId, ...asks, ...models, allowWeakSandbox: true })).runId);
  };
  const loop = async () =>
    asked((await call('loop.start', { projectId, worker: 'story-worker', iterations: 5 })).runId);
  const plan = async () => {
    const member = { name: 'ada', agent: 'planner', prompt: 'Limit the bookings.', plan_approval: true };
    const config = { members: [{ ...member, iterative: true }] };
    await asked((await call('team.start', { projectId, name: 'Two builders', config })).runId);
  };
  const rested = async () => {
    const members = [{ name: 'ben', agent: 'builder', prompt: 'Plan the new pier.' }];
    const config = { lead: { agent: 'builder' }, members };
    await asked((await call('team.start', { projectId, name: 'Survey', config })).runId);
  };
  await Promise.all([
    shipped(),
    open('evidence', 7),
    open('questions', 2),
    ...['permission', 'command', 'login', 'limitless', 'budget', 'review'].map((name) => open(name)),
    ...['pages', 'variants', 'fail'].map(async (name) => ended(await start(name))),
    start('limit'),
    reworked(),
    rested(),
    question(),
    loop(),
    plan(),
  ]);
  const { id } = (await call('prompt.list', { projectId })).find(({ id }) =>
    id.endsWith('iterative-teammate'),
  );
  await call('prompt.override', { projectId, id });
}

const DAY_MS = 86_400_000;

/**
 * Runs of the last days: two that end, exported, set back in time, and imported. They come first, because lists show
 * runs in the order in which they came. The two themselves go to the bin.
 */
async function earlier(call, folder, projectId) {
  const { start, ended: end, asked, answer } = worker(call, projectId);
  const [ship, pages] = await Promise.all(['ship', 'pages'].map(start));
  await asked(ship);
  await answer(ship, 1, { option: 'approve' });
  await Promise.all([end(ship), end(pages)]);
  const { rows } = await call('run.list', { limit: 200 });
  const ended = rows.filter(({ finishedAt }) => finishedAt !== null);
  for (const [index, days] of [6, 5, 3, 3, 2, 1, 1].entries()) {
    const { id, uid } = ended[index % ended.length];
    const path = join(folder, `earlier-${index}.jsonl`);
    await call('run.export', { runId: id, path });
    // An id with its own time cannot be the id of a run of today.
    const lines = readFileSync(path, 'utf8')
      .replaceAll(uid, `01J000000${index}${uid.slice(10)}`)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map((line) => ('at' in line ? { ...line, at: line.at - days * DAY_MS } : line));
    writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    await call('run.import', { path });
  }
  for (const { id } of ended) await call('run.bin', { runId: id });
}

/** A turn interrupted by the end of the core: its changes cause a question. */
async function interrupted(call, projectId) {
  const { get, start, asked } = worker(call, projectId);
  const copying = await start('backup');
  await until('a command at work', async () => (await get(copying)).state.commands[1]?.status === 'running');
  const runId = await start('interrupted');
  await until('a turn in flight', async () => (await get(runId)).state.turns[1]?.status === 'in_flight');
  const { core } = await call('system.status', {});
  process.kill(core.pid, 'SIGKILL');
  await asked(runId);
  await asked(copying);
}

async function settle(call, harbourId) {
  await call('settings.set', {
    settings: {
      deliveries: {
        targets: [
          { kind: 'command', id: 'log', name: 'A file on this machine', command: 'cat >> updates.txt' },
          { kind: 'webhook', id: 'chat', name: 'Chat of the harbour', url: 'https://chat.example.org/hook' },
        ].map((target) => ({ ...target, enabled: false })),
        giveUpDays: 7,
      },
    },
  });
  const rule = { agent: 'builder', tool: '*', effect: 'allow', scope: 'project', project_id: harbourId };
  await call('rule.create', { rule: { ...rule, command: 'npm test*', reason: 'Tests change nothing.' } });
  await call('rule.create', {
    rule: { ...rule, effect: 'deny', path: '.github/**', reason: 'Workflows are mine.' },
  });
}

/** Fills an empty data folder: runs that ended, failed and wait, teams, loops, a question over documents. */
export async function makeSample(call, folder) {
  const sample = await call('project.createSample', { path: join(folder, 'lighthouse') });
  const model = await startModel();
  makeProject(join(folder, 'harbour'), harbour(model.url));
  const project = await call('project.add', { path: join(folder, 'harbour') });
  mkdirSync(join(folder, 'archive'));
  await call('project.add', { path: join(folder, 'archive') });
  await settle(call, project.id);
  await earlier(call, folder, project.id);
  await interrupted(call, project.id);
  await Promise.all([lighthouse(call, sample.id), harbourRuns(call, project.id)]);
  const override = join(folder, 'harbour', '.muster', 'prompts', 'team', 'iterative-teammate.md');
  appendFileSync(override, '- Write for harbour masters: plain words, no jargon.\n');
  model.close();
}

/** Started each time: the work in progress while pictures are taken. */
export async function beginWatch(call) {
  const projects = await call('project.list', {});
  const { id } = projects.find(({ name }) => name === 'harbour');
  const { get, start } = worker(call, id);
  const runId = await start('watch');
  await until('the watch', async () => {
    const { state } = await get(runId);
    return state.commands[1]?.status === 'running' && state.turns[2]?.status === 'in_flight';
  });
}
