import { randomBytes } from 'node:crypto';
import { type AppError, appError, appErrorSchema } from '@contract/errors';
import { firstFinding } from '@contract/findings';
import {
  type CoreProcedureName,
  coreProcedures,
  type ParsedInput,
  type ProcedureOutput,
  type RpcReply,
} from '@contract/ipc';
import type { Result } from '@contract/result';
import type { Logger } from '../core/ports/ports';

/** One handler for each procedure of the contract; a missing one does not compile. */
export type Handlers = {
  readonly [N in CoreProcedureName]: (
    input: ParsedInput<N>,
  ) => Promise<Result<ProcedureOutput<N>>> | Result<ProcedureOutput<N>>;
};

/**
 * Never throws or rejects. A reply that is no promise must leave the process before anything else happens: the state
 * in it changes with the next event.
 */
export type Router = (name: string, input: unknown) => RpcReply | Promise<RpcReply>;

const isName = (name: string): name is CoreProcedureName => Object.hasOwn(coreProcedures, name);

/**
 * Validates a call's input at the boundary, and answers with a value or an error. An unexpected error is
 * logged with a number, and the caller gets only the number. `commit` writes what the engine has folded already:
 * a core that is killed after its answer must not have told more than its log holds.
 */
export function createRouter(handlers: Handlers, logger: Logger, commit: () => void): Router {
  return (name, input) => {
    if (!isName(name))
      return { ok: false, error: appError('input.invalid', `there is no procedure "${name}"`) };
    // Without JIT: zod would first generate a parser for each input, and a window waits for the first calls.
    const parsed = coreProcedures[name].input.safeParse(input ?? {}, { jitless: true });
    if (!parsed.success) {
      const path = parsed.error.issues[0]?.path.join('.') ?? '';
      return {
        ok: false,
        error: appError('input.invalid', `${name}: ${firstFinding(parsed.error)}`, { where: { path } }),
      };
    }
    const failed = (cause: unknown): RpcReply => ({ ok: false, error: errorOf(cause, name, logger) });
    const committed = (reply: RpcReply): RpcReply => {
      try {
        commit();
        return reply;
      } catch (cause) {
        return failed(cause);
      }
    };
    const handler = handlers[name] as (input: unknown) => Promise<Result<unknown>> | Result<unknown>;
    let reply: Promise<Result<unknown>> | RpcReply;
    try {
      reply = handler(parsed.data);
    } catch (cause) {
      reply = failed(cause);
    }
    return reply instanceof Promise ? reply.catch(failed).then(committed) : committed(reply);
  };
}

function errorOf(cause: unknown, name: string, logger: Logger): AppError {
  const foreseen = carriedError(cause);
  if (foreseen !== null) return foreseen;
  const number = randomBytes(4).toString('hex');
  logger.error('a procedure threw', {
    name,
    number,
    cause: String(cause instanceof Error ? cause.stack : cause),
  });
  return appError('internal', `an unexpected error occurred (${number}); see the log`);
}

/**
 * Writes of the store without a result throw an exception that carries the error: a full disk, a locked file.
 */
function carriedError(cause: unknown): AppError | null {
  if (!(cause instanceof Error) || !('appError' in cause)) return null;
  const parsed = appErrorSchema.safeParse(cause.appError);
  return parsed.success ? parsed.data : null;
}
