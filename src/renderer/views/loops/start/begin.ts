import type { ProcedureInput } from '@contract/ipc';
import { refresh } from '../../../client/query';
import { hashOf, navigate } from '../../../client/route';
import { call } from '../../../client/rpc';
import { attempt } from '../../../client/toasts';

/** Starts a loop and goes to it. False where it could not be started. */
export async function begin(input: ProcedureInput<'loop.start'>): Promise<boolean> {
  const started = await attempt(call('loop.start', input));
  if (started === null) return false;
  await refresh('loop.list');
  navigate(hashOf('loop', started.runId));
  return true;
}

/** Where the sample project keeps its plan, and who works there. */
const SAMPLE = { folder: 'loop', worker: 'loop-worker' };

/** The sample project with its three small stories and a scripted worker, on a branch of this start. */
export async function beginSample(): Promise<void> {
  const project = await attempt(call('project.createSample', {}));
  if (project === null) return;
  await refresh('project.list', 'workflow.list', 'agent.list');
  const stamp = new Date().toISOString().slice(0, 19).replace(/[^\d]/g, '');
  await begin({ projectId: project.id, ...SAMPLE, branch: `ralph/sample-${stamp}`, iterations: 5 });
}
