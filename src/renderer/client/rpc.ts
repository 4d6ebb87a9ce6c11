import { messageOf } from '@contract/error-message';
import { type AppError, appError } from '@contract/errors';
import {
  type MusterBridge,
  type ProcedureInput,
  type ProcedureName,
  type ProcedureOutput,
  procedures,
} from '@contract/ipc';
import { err, fail, ok, type Result } from '@contract/result';
import { LARGE_ANSWERS, rpcReplySchema } from '@contract/wire';
import { config } from 'zod';
import { actsOnThePast, momentNow } from './runs/moment';
import { AnswerCache } from './wire/answer-cache';

declare global {
  interface Window {
    readonly muster: MusterBridge;
  }
}

// The content security policy forbids eval, which zod would try for speed.
config({ jitless: true });

interface Parser<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { message: string } };
}

const kept = new AnswerCache();

/** Each check of a file sends another text: its answer is compared with the last one for that file. */
const keptKey = (name: ProcedureName, input: object): string =>
  JSON.stringify([name, { ...input, text: undefined }]);

/** Calls a procedure of the core or of the main process. Never throws: errors are in the result. */
export async function call<N extends ProcedureName>(
  name: N,
  input: ProcedureInput<N>,
): Promise<Result<ProcedureOutput<N>>> {
  if (actsOnThePast(name, input, momentNow())) return err(showsThePast());
  // Sends the current subscriptions first (client/wire/bus.ts): changes after the answer then arrive as
  // pushes.
  await Promise.resolve();
  const raw = await window.muster.call(name, input).catch((cause: unknown) => unreachableCore(name, cause));
  const reply = rpcReplySchema.safeParse(raw);
  if (!reply.success) return fail('internal', `The answer to ${name} is not a reply.`);
  if (!reply.data.ok) return reply.data;
  const schema: Parser<ProcedureOutput<N>> = procedures[name].output as never;
  let fault = '';
  const parse = (value: unknown): { readonly data: ProcedureOutput<N> } | null => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return { data: parsed.data };
    fault = parsed.error.message;
    return null;
  };
  const { value } = reply.data;
  const read = LARGE_ANSWERS.has(name) ? kept.read(keptKey(name, input), value, parse) : parse(value);
  if (read !== null) return ok(read.data);
  return fail('internal', `The answer to ${name} has an unexpected form: ${fault}`);
}

/** The path of a file dropped on the window. */
export const pathOf = (file: File): string => window.muster.pathOf(file);

const showsThePast = (): AppError =>
  appError('conflict', 'This page shows the past of the run, which cannot be changed.', {
    mend: 'Return to now first.',
  });

function unreachableCore(name: string, cause: unknown): { ok: false; error: AppError } {
  const why = messageOf(cause);
  return {
    ok: false,
    error: appError('unavailable', `${name} did not reach the core: ${why}`, {
      mend: 'Wait until the core runs again (see the status bar), then try once more.',
    }),
  };
}
