import type { ProcedureName } from '@contract/ipc';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { StartOnce } from '@renderer/client/sending/start-once';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { changed } from './projects';

const WORKFLOW = '.muster/workflows/release-notes.yaml';

/**
 * The number of the sample project, which is created if it is missing. The given stale queries are read
 * again.
 */
export async function sampleProject(...stale: ProcedureName[]): Promise<number | null> {
  const project = await attempt(call('project.createSample', {}));
  if (project === null) return null;
  await Promise.all([changed(), refresh(...stale)]);
  return project.id;
}

/** A press whose answer was lost starts nothing a second time. */
const starts = new StartOnce();

/** A chain of re-prompts, a check, and an open gate. */
export async function startSampleWorkflow(): Promise<void> {
  const projectId = await sampleProject();
  if (projectId === null) return;
  const started = await starts.begin((uid) => attempt(call('run.start', { uid, projectId, file: WORKFLOW })));
  if (started !== null) navigate(hashOf('run', started.runId));
}
