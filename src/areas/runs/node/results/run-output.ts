import { withWholeDiffs } from '@areas/changes/contract/change-bundle';
import type { StoredBundle } from '@areas/workflows/contract/definition';
import { appError } from '@contract/errors';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { ownValue } from '@contract/own';
import { err, ok, type Result } from '@contract/result';
import type { RunState } from '@contract/run/state';
import { cutWords } from '@contract/whole-text';
import { TextFault, type WholeTexts, wholeOf } from '@main/core/ports/whole-texts';

type Page = ProcedureOutput<'run.output'>;

/** A page of a run's output. Errors: `not_found`, with the existing outputs. */
export function outputPage(
  state: RunState,
  texts: Pick<WholeTexts, 'read'>,
  { step, port, from, chars }: Omit<ParsedInput<'run.output'>, 'runId'>,
): Result<Page> {
  const last = Object.values(state.activations)
    .filter(({ stepId, finishedAt }) => finishedAt !== null && (step === null || stepId === step))
    .sort((one, other) => (one.finishedAt ?? 0) - (other.finishedAt ?? 0) || one.id - other.id)
    .findLast(({ outputs }) => ownValue(outputs, port) !== undefined);
  const bundle = last === undefined ? undefined : ownValue(last.outputs, port);
  if (last === undefined || bundle === undefined) return err(noOutput(state, step, port));
  const shown = readContent(bundle, texts);
  if (!shown.ok) return shown;
  const { text, ...content } = shown.value;
  return ok({ step: last.stepId, port, activationId: last.id, ...content, ...pageOf(text, { from, chars }) });
}

interface ShownContent {
  readonly isText: boolean;
  readonly text: string;
  readonly cut?: string;
}

function readContent(bundle: StoredBundle, texts: Pick<WholeTexts, 'read'>): Result<ShownContent> {
  return reading(() => {
    if ('large' in bundle) return { isText: bundle.form === 'text', text: texts.read(bundle.large) };
    if ('cut' in bundle)
      return { isText: true, text: wholeOf(texts, bundle.cut.shown), cut: cutWords(bundle.cut) };
    const content = withWholeDiffs(bundle.content, (text) => texts.read(text));
    const isText = typeof content === 'string';
    return { isText, text: isText ? content : JSON.stringify(content, null, 2) };
  });
}

/** A page of a run's large text. */
export function textPage(
  texts: Pick<WholeTexts, 'read' | 'path'>,
  { sha256, ...page }: Omit<ParsedInput<'run.text'>, 'runId'>,
): Result<ProcedureOutput<'run.text'>> {
  return reading(() => ({ ...pageOf(texts.read({ sha256 }), page), path: texts.path({ sha256 }) }));
}

function reading<T>(read: () => T): Result<T> {
  try {
    return ok(read());
  } catch (cause) {
    if (cause instanceof TextFault) return err(cause.error);
    throw cause;
  }
}

function pageOf(text: string, { from, chars }: { readonly from: number; readonly chars: number }) {
  const begin = Math.min(from, text.length);
  const to = endOf(text, begin + chars);
  return { text: text.slice(begin, to), from: begin, to, size: text.length };
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
