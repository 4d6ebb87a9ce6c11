import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type TrialValues, trialValuesSchema } from '@areas/workflows/contract/trial';
import { firstFinding } from '@contract/findings';
import { fail, ok, type Result } from '@contract/result';

/** Sample values from a file, in place of a run; empty without a file. */
export async function readTrialValues(cwd: string, file: string | undefined): Promise<Result<TrialValues>> {
  if (file === undefined) return ok(trialValuesSchema.parse({}));
  const wrong = (message: string) => fail('input.invalid', `${file}: ${message}`, { where: { file } });
  let value: unknown;
  try {
    value = JSON.parse(await readFile(resolve(cwd, file), 'utf8'));
  } catch (cause) {
    return wrong(cause instanceof SyntaxError ? `it is not JSON: ${cause.message}` : 'it cannot be read');
  }
  const parsed = trialValuesSchema.safeParse(value);
  return parsed.success ? ok(parsed.data) : wrong(firstFinding(parsed.error));
}
