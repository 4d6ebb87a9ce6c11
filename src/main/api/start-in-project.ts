import type { ProjectRow } from '@areas/agents/contract/procedures';
import type { AppError } from '@contract/errors';
import type { Result } from '@contract/result';
import { ask, type CoreCalls } from './core-service';

/**
 * Starts something in a folder's project. If the project was added only for this and nothing starts, it is
 * removed again, so that a refused request leaves nothing behind.
 */
export async function startInProject<T, E = AppError>(
  core: Pick<CoreCalls, 'call'>,
  path: string,
  { begin, hasBegun = () => true }: Beginning<T, E>,
): Promise<Result<T, E | AppError>> {
  const added = await ask(core, 'project.add', { path });
  if (!added.ok) return added;
  const { isNew = false, ...project } = added.value;
  const begun = await begin(project);
  const removes = isNew && !(begun.ok && hasBegun(begun.value));
  if (removes) await ask(core, 'project.remove', { projectId: project.id });
  return begun;
}

interface Beginning<T, E> {
  begin(project: ProjectRow): Promise<Result<T, E>>;
  /** A successful answer may also mean that nothing started. */
  readonly hasBegun?: (value: T) => boolean;
}
