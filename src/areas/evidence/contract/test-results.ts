import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';

const ranSchema = lazyObject(() => ({
  captured: z.literal(true),
  command: z.string(),
  exit_code: z.number().nullable(),
  output_tail: z.string().nullish(),
}));

/** The last test run that an agent made in a step. */
interface TestResults {
  readonly command: string;
  /** Null if the agent did not report it. */
  readonly exitCode: number | null;
  readonly output: string;
}

/** The test results of stored evidence; `none` if no tests ran, null if the text has another form. */
export function readTestResults(text: string): TestResults | 'none' | null {
  const value = parsed(text);
  if (z.object({ captured: z.literal(false) }).safeParse(value).success) return 'none';
  const ran = ranSchema.safeParse(value).data;
  if (ran === undefined) return null;
  return { command: ran.command, exitCode: ran.exit_code, output: ran.output_tail ?? '' };
}

export const testsWord = ({ exitCode }: TestResults): 'Passed' | 'Failed' | 'Exit code not reported' => {
  if (exitCode === null) return 'Exit code not reported';
  return exitCode === 0 ? 'Passed' : 'Failed';
};

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
