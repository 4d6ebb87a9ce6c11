import type { ProjectRow } from '@areas/agents/contract/procedures';
import type { Problem } from '@contract/errors';
import type { Result } from '@contract/result';
import { startInProject } from '../../api/start-in-project';
import type { Context } from '../command';
import { EXIT, type ExitCode } from '../exit';
import type { Link } from '../link/link';
import { problemLines } from '../output/error-lines';

/** The result of requesting a run. */
export interface Begun {
  /** Null if it cannot start, or must not any more. */
  readonly runId: number | null;
  readonly file: string;
  readonly problems: readonly Problem[];
}

/** Starts a run in a folder's project, which is added if the run starts. */
export const beginIn = (
  link: Link,
  folder: string,
  begin: (project: ProjectRow) => Promise<Result<Begun>>,
): Promise<Result<Begun>> => startInProject(link, folder, { begin, hasBegun: ({ runId }) => runId !== null });

/** Prints all problems, not only the first. */
export function tellProblems({ out, stop }: Context, { runId, file, problems }: Begun): void {
  if (runId === null && out.json && !stop.aborted) out.record({ kind: 'invalid', file, problems }, () => []);
  else for (const problem of problems) for (const text of problemLines(problem, file)) out.note(text);
}

export const exitOfNone = ({ stop }: Pick<Context, 'stop'>): ExitCode =>
  stop.aborted ? EXIT.interrupted : EXIT.invalid;
