import { appError } from '@contract/errors';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { ownValue } from '@contract/own';
import { err, ok, type Result } from '@contract/result';
import type { RunState } from '@contract/run/state';

type Page = ProcedureOutput<'run.output'>;

/** A page of a run's output. Errors: `not_found`, with the existing outputs. */
export function outputPage(
  state: RunState,
  { step, port, from, chars }: Omit<ParsedInput<'run.output'>, 'runId'>,
): Result<Page> {
  const last = Object.values(state.activations)
    .filter(({ stepId, finishedAt }) => finishedAt !== null && (step === null || stepId === step))
    .sort((one, other) => (one.finishedAt ?? 0) - (other.finishedAt ?? 0) || one.id - other.id)
    .findLast(({ outputs }) => ownValue(outputs, port) !== undefined);
  const bundle = last === undefined ? undefined : ownValue(last.outputs, port);
  if (last === undefined || bundle === undefined) return err(noOutput(state, step, port));
  const isText = typeof bundle.content === 'string';
  const text = typeof bundle.content === 'string' ? bundle.content : JSON.stringify(bundle.content, null, 2);
  const begin = Math.min(from, text.length);
  const to = endOf(text, begin + chars);
  return ok({
    step: last.stepId,
    port,
    activationId: last.id,
    isText,
    text: text.slice(begin, to),
    from: begin,
    to,
    size: text.length,
  });
}

/** Never splits a surrogate pair. */
function endOf(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const before = text.charCodeAt(end - 1);
  return before >= 0xd800 && before <= 0xdbff ? end + 1 : end;
}

function noOutput(state: RunState, step: string | null, port: string) {
  const known = new Set(
    Object.values(state.activations).flatMap(({ stepId, outputs }) =>
      Object.keys(outputs).map((one) => `${stepId}.${one}`),
    ),
  );
  return appError('not_found', `the run has no output ${step === null ? port : `${step}.${port}`}`, {
    mend: known.size === 0 ? 'no step of it has ended' : `there are: ${[...known].join(', ')}`,
  });
}
