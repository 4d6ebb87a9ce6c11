import { appError } from '@contract/errors';
import { firstFinding } from '@contract/findings';
import type { Result } from '@contract/result';
import { mainProcedures } from '@contract/system/procedures';
import { type RpcReply, rpcRequestSchema } from '@contract/wire';
import type { IpcMainEvent, IpcMainInvokeEvent } from 'electron';
import type { z } from 'zod';

type MainProcedures = typeof mainProcedures;
type MainProcedureName = keyof MainProcedures;

/** One handler for every procedure that main answers; a missing one does not compile. */
export type MainHandlers = {
  readonly [N in MainProcedureName]: (
    input: z.output<MainProcedures[N]['input']>,
  ) => Promise<Result<z.output<MainProcedures[N]['output']>>>;
};

interface RpcOptions {
  isOurs(event: IpcMainInvokeEvent | IpcMainEvent): boolean;
  readonly main: MainHandlers;
  /** Validates the input itself, and refuses an unknown name. */
  core(name: string, input: unknown): Promise<RpcReply>;
  /** Logs an unexpected error and returns its number. */
  report(name: string, cause: unknown): string;
}

/** Answers every call of the window. Errors are in the reply; exceptions never cross. */
export function rpcServer(
  options: RpcOptions,
): (event: IpcMainInvokeEvent, raw: unknown) => Promise<RpcReply> {
  return async (event, raw) => {
    if (!options.isOurs(event)) return refuse('input.invalid', 'This window may not call Muster.');
    const request = rpcRequestSchema.safeParse(raw);
    if (!request.success) return refuse('input.invalid', 'A call has a name and an input.');
    const { name, input } = request.data;
    try {
      return await answer(options, name, input);
    } catch (cause) {
      const number = options.report(name, cause);
      return refuse('internal', `An unexpected error occurred (${number}); see the log.`);
    }
  };
}

async function answer(options: RpcOptions, name: string, input: unknown): Promise<RpcReply> {
  if (!isMainName(name)) return options.core(name, input ?? {});
  const parsed = mainProcedures[name].input.safeParse(input ?? {});
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.join('.') ?? '';
    const error = appError('input.invalid', `${name}: ${firstFinding(parsed.error)}`, { where: { path } });
    return { ok: false, error };
  }
  // The table ties each handler to its own schema, which TypeScript cannot express across a union.
  const handler = options.main[name] as (input: unknown) => Promise<Result<unknown>>;
  return await handler(parsed.data);
}

const isMainName = (name: string): name is MainProcedureName => Object.hasOwn(mainProcedures, name);

const refuse = (code: 'input.invalid' | 'internal', message: string): RpcReply => ({
  ok: false,
  error: appError(code, message),
});
