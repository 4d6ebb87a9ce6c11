import type { Problem } from '@contract/errors';
import { findingsOf } from '@contract/findings';
import type { z } from 'zod';

/** A schema's findings as problems; an unknown key is named with its own line. */
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
      message: unknownKey === null ? `${path === '' ? 'the document' : path}: ${message}` : message,
      where: { file, path, ...(line === null ? {} : { line }) },
    };
  });
}

/** A file of a project that is there and is not read. */
export const unreadable = (file: string, { trouble, mend }: { trouble: string; mend: string }): Problem => ({
  ...{ code: 'validation.failed', severity: 'error', message: `${file} is not read: ${trouble}` },
  ...{ where: { file }, mend },
});
