import { coreProcedures } from '@contract/ipc';
import { fail, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { findRun } from '@main/cli/address';
import type { Call, Context } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';

const loopLogSchema = coreProcedures['loop.log'].input.unwrap().shape.which;

export const logFlags = {
  file: { value: 'WHICH', help: `log: ${loopLogSchema.options.join(', ')} (default message)` },
} as const;

/** Prints an attempt's log page by page, unchanged. */
export async function showLog(
  context: Context,
  { words, flags }: Call<typeof logFlags>,
): Promise<Result<ExitCode>> {
  const [, name = '', number] = words;
  const which = loopLogSchema.safeParse(flags.file ?? 'message');
  if (!which.success)
    return fail('input.invalid', `"${flags.file}" is not a log`, {
      mend: `one of: ${loopLogSchema.options.join(', ')}`,
    });
  const link = await context.open({ mode: 'reading' });
  if (!link.ok) return link;
  const row = await findRun(link.value, name);
  if (!row.ok) return row;
  const runId = row.value.id;
  const run = await ask(link.value, 'run.get', { runId });
  if (!run.ok) return run;
  const loop = Object.values(run.value.state.loops).at(-1);
  const attempt =
    number === undefined ? loop?.attempts.at(-1) : loop?.attempts.find(({ id }) => String(id) === number);
  if (loop === undefined || attempt === undefined)
    return fail(
      'not_found',
      `run ${runId} has no ${loop === undefined ? 'loop' : `attempt ${number ?? ''}`}`,
      { mend: `muster loop show ${runId} lists the attempts` },
    );
  const place = { runId, activationId: loop.activationId, attemptId: attempt.id, which: which.data };
  const { out, stop } = context;
  for (let from = 0; !stop.aborted; ) {
    const page = await ask(link.value, 'loop.log', { ...place, from });
    if (!page.ok) return page;
    const { path, text, to, size, overwritten } = page.value;
    if (from === 0 && overwritten) out.warn('A later attempt overwrote this log.');
    if (path === null) return fail('not_found', 'the attempt has no such log');
    if (out.json) out.record(page.value, () => []);
    else await out.part(text);
    if (to >= size || to <= from) break;
    from = to;
  }
  return ok(EXIT.ok);
}
