import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/lib/paths.mjs';
import { must } from '../../tools/lib/run.mjs';
import { startElectron } from './electron.mjs';

const AUTHOR = ['-c', 'user.name=Bench', '-c', 'user.email=bench@muster.invalid'];

export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** In the page: `call` of a procedure, which throws if the core rejects it. */
export const CALL = `const call = async (name, input) => {
  const reply = await muster.call(name, input);
  if (!reply.ok) throw new Error(name + ': ' + reply.error.message);
  return reply.value;
};`;

/** Answers every prompt at once. */
const prompt = JSON.stringify({
  default: '<task-result>Taken up, round {{turn}}: **a few words** of what was done.</task-result>',
});

/** The built app, or a variant made by a bench, with its window on the teams. */
export async function openApp(data, { folder = root, env = {} } = {}) {
  const app = await startElectron([folder, '--data-dir', data, 'muster://teams'], {
    selector: 'section',
    env,
  });
  await app.painted;
  return app;
}

/**
 * A project with one scripted agent, which answers at once unless another script is given; returns its
 * number. It is a separate repository: the folder is within this one, and Muster would create the members'
 * branches here.
 */
export async function addProject(app, home, script = prompt) {
  const path = join(home, 'project');
  await must('git', ['init', '--quiet', path]);
  mkdirSync(join(path, '.muster'), { recursive: true });
  writeFileSync(
    join(path, '.muster', 'agents.yaml'),
    'profiles:\n  - {kind: scripted, id: worker, name: Worker, max_sessions: 64, script: .muster/worker.yaml}\n',
  );
  writeFileSync(join(path, '.muster', 'worker.yaml'), script);
  await must('git', ['-C', path, 'add', '--all']);
  await must('git', ['-C', path, ...AUTHOR, 'commit', '--quiet', '--message', 'The project']);
  const code = `(async () => { ${CALL} return (await call('project.add', { path: ${JSON.stringify(path)} })).id; })()`;
  return app.ask('page', { code });
}

/** Starts a team with this many members; returns its run. */
export async function beginTeam(app, { projectId, members, config = {}, member = {} }) {
  const all = Array.from({ length: members }, (_, index) => ({
    name: `member-${index + 1}`,
    agent: 'worker',
    prompt: 'Do it.',
    worktree: false,
    iterative: true,
    ...member,
  }));
  const asked = { projectId, name: 'Bench', config: { members: all, max_rounds: 1000, ...config } };
  const code = `(async () => { ${CALL} return (await call('team.start', ${JSON.stringify(asked)})).runId; })()`;
  return app.ask('page', { code });
}

/** The same with the chat open, once each member has delivered its first result. */
export async function startTeam(app, asked) {
  const runId = await beginTeam(app, asked);
  await app.ask('page', { code: `location.hash = '#/team/${runId}/1/all'` });
  while ((await app.ask('page', { code: delivered(runId) })) < asked.members) await wait(200);
  return runId;
}

const delivered = (runId) => `(async () => { ${CALL}
  const { state } = await call('run.get', { runId: ${runId} });
  return Object.values(state.teams[1]?.members ?? {}).filter(({ rounds }) => rounds[0]?.result != null).length;
})()`;
