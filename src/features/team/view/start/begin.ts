import type { Json } from '@contract/ids';
import type { ProcedureInput } from '@contract/ipc';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';

/** Starts a team and opens its chat. False if it could not be started. */
export async function begin(of: {
  readonly uid: string;
  readonly projectId: number;
  readonly name: string;
  readonly config: Record<string, Json>;
  readonly budget?: ProcedureInput<'team.start'>['budget'];
}): Promise<boolean> {
  const started = await attempt(call('team.start', of));
  if (started !== null) navigate(hashOf('team', started.runId));
  return started !== null;
}
