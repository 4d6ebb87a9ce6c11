import type { Problem } from '@contract/errors';
import { findingsOf } from '@contract/findings';
import type { z } from 'zod';

/** A schema's findings as problems; an unknown key gets its own line. */
export function schemaProblems(
  error: z.ZodError,
  file: string,
  lineOf: (path: string) => number | null,
): Problem[] {
  return findingsOf(error).map(({ path, message, unknownKey }): Problem => {
    const line = lineOf(path);
    return {
      code: unknownKey === null ? 'validation.config' : 'validation.unknown_key',
      severity: 'error',
      message: unknownKey === null ? `${path === '' ? 'the file' : path}: ${message}` : message,
      where: { file, path, ...(line === null ? {} : { line }) },
    };
  });
}

/** A project's file that exists but was not read. */
export const unreadable = (file: string, { trouble, mend }: { trouble: string; mend: string }): Problem => ({
  code: 'validation.failed',
  severity: 'error',
  message: `${file} is not read: ${trouble}`,
  where: { file },
  mend,
});

/** Whether a path equals another one, or is inside it. */
export const isWithin = (path: string, outer: string): boolean =>
  path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);

export const emptyFile = (file: string): Problem => ({
  code: 'validation.failed',
  severity: 'error',
  message: 'the file is empty',
  where: { file },
  mend: 'write its name and steps, or create a file with `muster new`',
});

/** File by file as they were found, and in each by line: as someone goes through them. */
export function inOrder(problems: readonly Problem[]): Problem[] {
  const files = [...new Set(problems.map(({ where }) => where?.file))];
  return files.flatMap((file) =>
    problems.filter(({ where }) => where?.file === file).sort((one, other) => placeOf(one) - placeOf(other)),
  );
}

const COLUMNS = 100_000;
const placeOf = ({ where }: Problem): number => (where?.line ?? 0) * COLUMNS + (where?.column ?? 0);
