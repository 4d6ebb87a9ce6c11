import { sampleProject } from '@areas/projects/view/parts/samples';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { StartOnce } from '@renderer/client/sending/start-once';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';

const SAMPLE = { folder: 'loop', worker: 'loop-worker', iterations: 5 };
/** Prevents a second start if the answer to the first is lost. */
const starts = new StartOnce();

/** Starts a sample loop with three small stories and a scripted worker, on its own branch. */
export async function startSampleLoop(): Promise<void> {
  const projectId = await sampleProject();
  if (projectId === null) return;
  const stamp = new Date().toISOString().slice(0, 19).replace(/[^\d]/g, '');
  const request = { ...SAMPLE, projectId, branch: `ralph/sample-${stamp}` };
  const started = await starts.begin((uid) => attempt(call('loop.start', { uid, ...request })));
  if (started === null) return;
  await refresh('loop.list');
  navigate(hashOf('loop', started.runId));
}
