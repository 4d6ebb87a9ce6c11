import { type AppError, appError } from '@contract/errors';
import type { Push, RpcReply, Topic } from '@contract/ipc';
import {
  type CoreProcedureName,
  coreProcedures,
  type ProcedureInput,
  type ProcedureOutput,
} from '@contract/ipc';
import { err, ok, type Result } from '@contract/result';
import type { StoredEvent } from '@contract/run/events';
import type { z } from 'zod';

/** One reader's choice of topics. */
export interface Following {
  /** Replaces what was followed before. */
  change(topics: readonly Topic[]): void;
  end(): void;
}

/** A core, in this process or behind a socket, as one who talks to it sees it. */
export interface CoreCalls {
  /** Never rejects: what goes wrong is told in the reply. */
  call(name: string, input: unknown): Promise<RpcReply>;
  follow(topics: readonly Topic[], listener: (pushes: readonly Push[]) => void): Following;
}

/** What the socket and the HTTP API serve. */
export interface CoreService extends CoreCalls {
  /** After each commit, in order; the result ends it. */
  onEvents(listener: (events: readonly StoredEvent[]) => void): () => void;
}

/** The router's words for a name that this program has and the core has not. */
const isUnknown = ({ code, message }: AppError, name: string): boolean =>
  code === 'input.invalid' && message === `there is no procedure "${name}"`;

const anotherVersion = (name: string): AppError =>
  appError('unavailable', `the running Muster has another version: it does not know ${name}`, {
    mend: 'use the same version of Muster for both',
  });

/** A call whose input and answer have the contract's types; the answer is checked, wherever it comes from. */
export async function ask<N extends CoreProcedureName>(
  core: Pick<CoreCalls, 'call'>,
  name: N,
  input: ProcedureInput<N>,
): Promise<Result<ProcedureOutput<N>>> {
  const reply = await core.call(name, input);
  if (!reply.ok) return isUnknown(reply.error, name) ? err(anotherVersion(name)) : reply;
  // The table's type does not say that an entry's schema gives that entry's output; its construction does.
  const schema = coreProcedures[name].output as unknown as z.ZodType<ProcedureOutput<N>>;
  const parsed = schema.safeParse(reply.value);
  if (parsed.success) return ok(parsed.data);
  return err(
    appError('unavailable', `the answer to ${name} cannot be read`, {
      mend: 'use the same version of Muster for both',
    }),
  );
}
