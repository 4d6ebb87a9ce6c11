import { type AppError, appError } from '@contract/errors';
import type { Push, RpcReply, Topic } from '@contract/ipc';
import {
  type CoreProcedureName,
  coreProcedures,
  type ProcedureInput,
  type ProcedureOutput,
} from '@contract/ipc';
import { err, fail, ok, type Result } from '@contract/result';
import type { StoredEvent } from '@contract/run/events';
import type { z } from 'zod';

/** A reader's choice of topics. */
export interface Following {
  /** Replaces the previous topics. */
  change(topics: readonly Topic[]): void;
  end(): void;
}

/** A core as its callers see it, in this process or behind a socket. */
export interface CoreCalls {
  /**
   * Never rejects: errors are in the reply. A reply that is no promise has to be serialized before anything else
   * happens, because the state in it is not a copy.
   */
  call(name: string, input: unknown): RpcReply | Promise<RpcReply>;
  follow(topics: readonly Topic[], listener: (pushes: readonly Push[]) => void): Following;
}

/** The interface served by the socket and the HTTP API. */
export interface CoreService extends CoreCalls {
  /** Called after each commit, in order; the result stops it. */
  onEvents(listener: (events: readonly StoredEvent[]) => void): () => void;
}

/** The router's message for a procedure that this program knows but the core does not. */
const isUnknown = ({ code, message }: AppError, name: string): boolean =>
  code === 'input.invalid' && message === `there is no procedure "${name}"`;

const anotherVersion = (name: string): AppError =>
  appError('unavailable', `the running Muster has another version: it does not know ${name}`, {
    mend: 'use the same version of Muster for both',
  });

/** A call with the contract's types; the answer is validated, wherever it comes from. */
export async function ask<N extends CoreProcedureName>(
  core: Pick<CoreCalls, 'call'>,
  name: N,
  input: ProcedureInput<N>,
): Promise<Result<ProcedureOutput<N>>> {
  const reply = await core.call(name, input);
  if (!reply.ok) return isUnknown(reply.error, name) ? err(anotherVersion(name)) : reply;
  // The table's type does not express that an entry's schema gives that entry's output; its construction
  // guarantees it.
  const schema = coreProcedures[name].output as unknown as z.ZodType<ProcedureOutput<N>>;
  const parsed = schema.safeParse(reply.value);
  if (parsed.success) return ok(parsed.data);
  return fail('unavailable', `the answer to ${name} cannot be read`, {
    mend: 'use the same version of Muster for both',
  });
}
