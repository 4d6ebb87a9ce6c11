import { refresh } from '../client/query';
import { hashOf, navigate } from '../client/route';
import { call } from '../client/rpc';
import { StartOnce } from '../client/start-once';
import { attempt } from '../client/toasts';
import { changed } from './projects';

/** The files of the sample project that a first look starts with. */
const TEAM = '.muster/teams/prompt-engineers.yaml';
const WORKFLOW = '.muster/workflows/release-notes.yaml';
const LOOP = { folder: 'loop', worker: 'loop-worker' };

/** A press whose answer was lost starts nothing a second time. */
const starts = { team: new StartOnce(), workflow: new StartOnce(), loop: new StartOnce() };

/** The sample project, made where it is not there yet; its number. */
async function sample(): Promise<number | null> {
  const project = await attempt(call('project.createSample', {}));
  if (project === null) return null;
  await Promise.all([changed(), refresh('team.templates')]);
  return project.id;
}

/** Five scripted agents that deliver, and go on until the operator is satisfied with each. */
export async function startSampleTeam(): Promise<void> {
  const projectId = await sample();
  if (projectId === null) return;
  const templates = await attempt(call('team.templates', { projectId }));
  const template = templates?.find(({ file }) => file === TEAM);
  if (templates === null) return;
  // Someone has changed the sample: its templates say what is wrong.
  if (!template?.config) return navigate(hashOf('teams', 'new'));
  const { name, config } = template;
  const started = await starts.team.begin((uid) =>
    attempt(call('team.start', { uid, projectId, name, config })),
  );
  if (started !== null) navigate(hashOf('team', started.runId));
}

/** A chain of re-prompts, a check, and a gate that waits. */
export async function startSampleWorkflow(): Promise<void> {
  const projectId = await sample();
  if (projectId === null) return;
  const started = await starts.workflow.begin((uid) =>
    attempt(call('run.start', { uid, projectId, file: WORKFLOW })),
  );
  if (started !== null) navigate(hashOf('run', started.runId));
}

/** Three small stories and a scripted worker, on a branch of this start. */
export async function startSampleLoop(): Promise<void> {
  const projectId = await sample();
  if (projectId === null) return;
  const stamp = new Date().toISOString().slice(0, 19).replace(/[^\d]/g, '');
  const asked = { projectId, ...LOOP, branch: `ralph/sample-${stamp}`, iterations: 5 };
  const started = await starts.loop.begin((uid) => attempt(call('loop.start', { uid, ...asked })));
  if (started === null) return;
  await refresh('loop.list');
  navigate(hashOf('loop', started.runId));
}
