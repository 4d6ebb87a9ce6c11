import { contentOutput } from '@areas/workflows/contract/bundle-text';
import { jsonSchema } from '@contract/ids';
import { ok, type Result } from '@contract/result';
import type { Returned } from '@contract/run/results/returned-output';
import { isCut, isLarge, namingWhole, withMark } from '@contract/whole-text';
import type { CoreCalls } from '../../api/core-service';
import { readText } from '../../api/read-text';
import type { Context } from '../command';

/** A value for `--json`, in which each large text of the run names the command that prints all of it. */
export const namingCommands = (
  { out, again }: Pick<Context, 'out' | 'again'>,
  runId: number,
  value: object,
): object =>
  out.json ? namingWhole(value, (sha256) => again('output', String(runId), '--text', sha256)) : value;

/** What a workflow returns, with its whole text. */
export interface ReturnedText extends Omit<Returned, 'text' | 'form'> {
  readonly text: string;
}

export async function wholeReturned(
  core: CoreCalls,
  runId: number,
  returned: Returned | null,
): Promise<Result<ReturnedText | null>> {
  if (returned === null) return ok(null);
  const { text, form, ...rest } = returned;
  const whole = await readText(core, runId, isCut(text) ? text.shown : text);
  if (!whole.ok) return whole;
  if (isCut(text)) return ok({ ...rest, text: withMark({ ...text, shown: whole.value }) });
  const json = isLarge(text) && form === 'json';
  return ok({ ...rest, text: json ? contentOutput(jsonSchema.parse(JSON.parse(whole.value))) : whole.value });
}
