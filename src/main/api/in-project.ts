import type { ProjectRow } from '@contract/catalog/procedures';
import type { AppError } from '@contract/errors';
import type { Result } from '@contract/result';
import { ask, type CoreCalls } from './core-service';

/**
 * Begins something in the project of a folder. A project that is added for it is removed again where nothing begins: a
 * refused request leaves nothing behind.
 */
export async function inProject<T, E = AppError>(
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

export interface Beginning<T, E> {
  begin(project: ProjectRow): Promise<Result<T, E>>;
  /** Also an answer may say that nothing began. */
  readonly hasBegun?: (value: T) => boolean;
}
