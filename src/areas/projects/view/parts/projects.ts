import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';

/** Reads again everything that depends on the list of projects. */
export const changed = () => refresh('project.list', 'workflow.list', 'agent.list');

export async function addProject(): Promise<void> {
  const picked = await attempt(call('app.pickFolder', { title: 'Add a project folder' }));
  if (!picked?.path) return;
  const project = await attempt(call('project.add', { path: picked.path }));
  await changed();
  if (project) navigate(hashOf('workflows', project.id));
}

export async function createSample(): Promise<void> {
  const project = await attempt(call('project.createSample', {}), 'Created the sample project');
  await changed();
  if (project) navigate(hashOf('workflows', project.id));
}

export async function removeProject(projectId: number): Promise<void> {
  await attempt(call('project.remove', { projectId }), 'Removed from the list; the folder is untouched');
  await changed();
}
