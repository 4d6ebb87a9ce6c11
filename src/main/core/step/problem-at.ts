import type { ModuleProblem } from './module';

/** An error in a step's configuration, at a path inside it. */
export const problemAt = (path: string, message: string, mend?: string): ModuleProblem => ({
  code: 'validation.config',
  severity: 'error',
  message,
  path,
  ...(mend === undefined ? {} : { mend }),
});
