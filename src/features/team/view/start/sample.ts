import { sampleProject } from '@areas/projects/view/parts/samples';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { StartOnce } from '@renderer/client/sending/start-once';
import { attempt } from '@renderer/client/toasts';

const TEMPLATE = '.muster/teams/prompt-engineers.yaml';
/** Prevents a second start if the answer to the first is lost. */
const starts = new StartOnce();

/** Starts a sample team of five scripted agents, which work until the operator is satisfied with each. */
export async function startSampleTeam(): Promise<void> {
  const projectId = await sampleProject('team.templates');
  if (projectId === null) return;
  const templates = await attempt(call('team.templates', { projectId }));
  const template = templates?.find(({ file }) => file === TEMPLATE);
  if (templates === null) return;
  // Someone has changed the sample: its templates say what is wrong.
  if (!template?.config) return navigate(hashOf('teams', 'new'));
  const { name, config } = template;
  const started = await starts.begin((uid) => attempt(call('team.start', { uid, projectId, name, config })));
  if (started !== null) navigate(hashOf('team', started.runId));
}
