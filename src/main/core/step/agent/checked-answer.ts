import type { AppError } from '@contract/errors';
import type { AnsweredTurn } from '../module';
import { invalidOutput, type OutputFormat, repairPrompt } from '../output/output-format';

/** The state of an answer with a required format: one prompt, and at most one repair in the same session. */
export type CheckedAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'valid'; readonly json: string; readonly response: string }
  | { readonly kind: 'repair'; readonly prompt: string }
  | { readonly kind: 'invalid'; readonly error: AppError; readonly response: string };

/** Examines the turns from the first whose answer counts. */
export function checkedAnswer(turns: readonly AnsweredTurn[], format: OutputFormat): CheckedAnswer {
  const last = turns.at(-1);
  if (last === undefined) return { kind: 'none' };
  const read = format.read(last.response);
  if ('json' in read) return { kind: 'valid', json: read.json, response: last.response };
  if (turns.length === 1) return { kind: 'repair', prompt: repairPrompt(read.faults, format) };
  return { kind: 'invalid', error: invalidOutput(read.faults), response: last.response };
}
