import { type AppError, appError } from '@contract/errors';
import { EVENT_TEXT_BYTES, WHOLE_TEXT_BYTES } from '@contract/limits';
import { setOwnValue } from '@contract/own';
import type { RunEventOf } from '@contract/run/events';
import { sizeWords } from '@contract/size-words';
import { exceedsUtf8, utf8Length } from '@contract/text-length';
import { type CutText, isCut, type WholeText, withMark } from '@contract/whole-text';
import type { CommandResult, TurnResult } from '../../ports/ports';
import type { WholeTexts } from '../../ports/whole-texts';
import { plainText } from '../../step/output/plain-output';

// Large texts go into their files before the commit, which must not wait for a disk.

/** Of a text that cannot be kept, the end that its error shows. */
const SHOWN_CHARS = 4096;

function itsEnd(text: string): CutText {
  const shown = text.slice(-SHOWN_CHARS);
  return { part: 'last', shown, shownBytes: utf8Length(shown), totalBytes: utf8Length(text) };
}

/** A large output is kept as plain text: as the steps behind the command read it. */
export async function withKeptOutput<R extends Pick<CommandResult, 'output' | 'error'>>(
  texts: WholeTexts,
  result: R,
): Promise<R> {
  const { output } = result;
  const text = isCut(output) ? output.shown : output;
  if (typeof text !== 'string' || !exceedsUtf8(text, EVENT_TEXT_BYTES)) return result;
  const kept = await texts.keepLater(plainText(text));
  if (!kept.ok) return { ...result, output: itsEnd(text), error: result.error ?? kept.error };
  // Short only without its escape sequences: like every text in an event it ends with the line end that readers drop.
  const short = typeof kept.value === 'string' ? `${kept.value}\n` : kept.value;
  return { ...result, output: isCut(output) ? { ...output, shown: short } : short };
}

type Answered = Omit<TurnResult, 'response'> & { readonly response: WholeText };

/** A turn whose answer cannot be passed on whole has failed. */
export async function withKeptAnswer(texts: WholeTexts, result: TurnResult): Promise<Answered> {
  const { response } = result;
  const failed = (error: AppError): Answered => ({
    ...result,
    outcome: 'failed',
    error: result.error ?? error,
    response: withMark(itsEnd(response)),
  });
  if (!exceedsUtf8(response, EVENT_TEXT_BYTES)) return result;
  if (exceedsUtf8(response, WHOLE_TEXT_BYTES)) return failed(tooLarge(utf8Length(response)));
  const kept = await texts.keepLater(response);
  return kept.ok ? { ...result, response: kept.value } : failed(kept.error);
}

const tooLarge = (bytes: number): AppError =>
  appError(
    'step.output_too_large',
    `the agent's answer has ${sizeWords(bytes)} or more; an answer is passed on whole up to ${sizeWords(WHOLE_TEXT_BYTES)}`,
    { mend: 'let the agent write the result into a file, and answer with its path' },
  );

/** A command's environment: the values that are small enough for it, and the files of the others. */
export function keptEnvironment(
  texts: Pick<WholeTexts, 'path'>,
  values: RunEventOf<'command.started'>['env'],
): { env: Record<string, string>; envFiles: Record<string, string> } {
  const env: Record<string, string> = {};
  const envFiles: Record<string, string> = {};
  for (const [name, value] of Object.entries(values))
    if (typeof value === 'string') setOwnValue(env, name, value);
    else setOwnValue(envFiles, name, texts.path(value));
  return { env, envFiles };
}
