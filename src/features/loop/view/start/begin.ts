import type { ProcedureInput } from '@contract/ipc';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';

/** Starts a loop and opens its page. False if it could not be started. */
export async function begin(input: ProcedureInput<'loop.start'>): Promise<boolean> {
  const started = await attempt(call('loop.start', input));
  if (started === null) return false;
  await refresh('loop.list');
  navigate(hashOf('loop', started.runId));
  return true;
}
